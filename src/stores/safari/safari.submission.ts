import { cutText } from '../../common/net/index.js';
import { compareVersions } from '../version.js';
import { StoreFailure } from '../store-failure.js';
import type { StepOutcome, Submitting } from '../store.js';
import { chosenBuild, spellingsOf, type SafariBuild } from './safari.builds.js';
import type { SafariApp, SafariClient } from './safari.client.js';
import { isConflict } from './safari.errors.js';
import { assertOurs, isSent, usableReview, type Review } from './safari.reviews.js';
import { standingOf, type Standing } from './safari.standing.js';
import type { SafariVersion } from './safari.states.js';

/** Longest `whatsNew` that Apple takes. */
const MAX_NOTES = 4000;

/** A version as it is made: it rests once it is approved, and has no build yet. */
const NEW_VERSION = {
  state: 'draft',
  isParked: false,
  releaseType: 'MANUAL',
  earliestReleaseDate: undefined,
  buildId: null,
  phased: null,
} as const satisfies Partial<SafariVersion>;

type Unsubmitted = Extract<Standing, { readonly isSubmitted: false }>;

/** What is told of the answer about encryption, and whether Pierhead has just given it. */
interface Declared {
  readonly isNew: boolean;
  readonly note: string;
}

/**
 * Brings one version of one platform from its build to review (docs/stores.md#safari-calls, docs/stores.md#safari-rules). One thing after another, each of which looks first
 * whether it is done already: after a crash or a lost answer at any line the whole is simply begun anew.
 */
export class SafariSubmission {
  constructor(
    private readonly client: SafariClient,
    private readonly app: SafariApp,
    private readonly version: string,
    private readonly order: Pick<Submitting, 'notes' | 'rolloutPercent' | 'encryption'>,
  ) {}

  /** @throws StoreFailure `wait` while the build or another version has to be waited for, `config` where a person has to act */
  async send(): Promise<StepOutcome> {
    const spellings = spellingsOf(this.version);
    const { versions, raw } = await this.client.versions(this.app);
    const standing = standingOf(versions, this.version);
    if (standing.isSubmitted) return { outcome: 'done', note: standing.note, raw };
    const build = chosenBuild(await this.client.builds(this.app, spellings), this.version);
    const declared = await this.declare(build);
    return this.review(standing, build).then(
      ({ note, ...sent }) => ({ ...sent, note: [note, declared?.note].join(' ').trim() }),
      (error: unknown) => {
        throw declared?.isNew === true && error instanceof StoreFailure ? toldWith(error, declared.note) : error;
      },
    );
  }

  /**
   * Gives the author's answer to Apple's question about encryption, which is a legal statement: his alone, and always told.
   * @returns what to tell of it; null where nothing was asked for and nothing was said
   * @throws StoreFailure `config` when Apple asks and the author has not said
   */
  private async declare({ id, number, encryption }: SafariBuild): Promise<Declared | null> {
    const { encryption: answer } = this.order;
    if (encryption !== null && answer === null) return null;
    if (encryption !== null)
      return { isNew: false, note: `Its export-compliance question had been answered before: ${encryption}.` };
    if (answer === null)
      throw new StoreFailure(
        'config',
        `Apple asks whether build ${number} of version ${this.version} uses encryption that is not exempt from export rules, and only its author can say. Set the target's encryption to exempt (none, or only exempt encryption such as HTTPS) or to nonExempt, or answer in App Store Connect.`,
      );
    await this.client.answerEncryption(this.app, id, answer);
    const note = `Apple's export-compliance question about build ${number} was answered as the target's encryption says: ${answer}.`;
    return { isNew: true, note };
  }

  private async review(standing: Unsubmitted, build: SafariBuild): Promise<StepOutcome> {
    const slot = await this.slotFor(standing.slot, build.version);
    await this.prepare(slot, build, standing.isUpdate);
    const reviewId = await this.openReview(slot.id);
    const handles = { build: build.id, appStoreVersion: slot.id, reviewSubmission: reviewId };
    const sent = await this.client.changeReview(this.app, reviewId, { submitted: true });
    if (sent.state === 'READY_FOR_REVIEW') {
      const message = `App Store Connect took the submission of version ${this.version} and shows it as not sent.`;
      throw new StoreFailure('retry', message, { raw: sent.raw });
    }
    const note = `Version ${this.version} was sent for review with build ${build.number}.`;
    return { outcome: 'done', handles, note, raw: sent.raw };
  }

  /** The platform's one editable version; made only where there is none, even if it was not listed a moment ago. */
  private async slotFor(listed: SafariVersion | null, version: string): Promise<SafariVersion> {
    if (listed !== null) return listed;
    try {
      const id = await this.client.createVersion(this.app, version);
      return { ...NEW_VERSION, id, version };
    } catch (error) {
      if (!isConflict(error)) throw error;
      const standing = standingOf((await this.client.versions(this.app)).versions, this.version);
      if (standing.isSubmitted || standing.slot === null) throw error;
      return standing.slot;
    }
  }

  /** Makes the editable version ours: its number, its build, its texts. */
  private async prepare(slot: SafariVersion, build: SafariBuild, isUpdate: boolean): Promise<void> {
    const isAdopted = compareVersions(slot.version, this.version) !== 0;
    // Texts of the version that the slot was made for are replaced while it still has its old number: a crash in between is then seen.
    if (isAdopted && isUpdate) await this.tell(slot.id, () => true);
    await this.rename(slot, build.version);
    if (slot.buildId !== build.id) await this.client.attachBuild(this.app, slot.id, build.id);
    // What somebody wrote for this very version stays.
    if (!isAdopted && isUpdate) await this.tell(slot.id, (whatsNew) => whatsNew === undefined);
    await this.phase(slot, isUpdate);
  }

  private async rename(slot: SafariVersion, versionString: string): Promise<void> {
    const changes = {
      ...(slot.version !== versionString && { versionString }),
      ...(slot.releaseType !== 'MANUAL' && { releaseType: 'MANUAL' }),
      ...(slot.earliestReleaseDate !== undefined && { earliestReleaseDate: null }),
    };
    if (Object.keys(changes).length > 0) await this.client.updateVersion(this.app, slot.id, changes);
  }

  private async tell(versionId: string, isToChange: (whatsNew: string | undefined) => boolean): Promise<void> {
    if (this.order.notes === null) return;
    const notes = cutText(this.order.notes, MAX_NOTES);
    for (const { id, whatsNew } of await this.client.localizations(this.app, versionId)) {
      if (whatsNew !== notes && isToChange(whatsNew)) await this.client.tellWhatsNew(this.app, id, notes);
    }
  }

  /** Apple's curve is fixed, so that any share of users below all of them switches it on. A first version has none. */
  private async phase({ id, phased }: SafariVersion, isUpdate: boolean): Promise<void> {
    const isWanted = isUpdate && this.order.rolloutPercent !== null && this.order.rolloutPercent < 100;
    if (isWanted && phased === null) await this.client.phase(this.app, id);
    if (!isWanted && phased !== null) await this.client.unphase(this.app, phased.id);
  }

  /** The review submission that holds the version and nothing else, ready to be sent. */
  private async openReview(versionId: string): Promise<string> {
    const review = await this.usable(versionId);
    if (review !== null && isSent(review)) return review.id;
    const id = review?.id ?? (await this.client.createReview(this.app));
    const items = review === null ? [] : await this.client.reviewItems(this.app, id);
    assertOurs(items, versionId);
    const own = items.find((item) => item.versionId === versionId && item.state !== 'REMOVED');
    if (own === undefined) await this.add(id, versionId);
    if (own?.state === 'REJECTED') await this.client.resolveItem(this.app, own.id);
    return id;
  }

  private async usable(versionId: string): Promise<Review | null> {
    return usableReview(await this.client.openReviews(this.app), versionId);
  }

  /** "Already added" is success when it was added to this very submission. */
  private async add(reviewId: string, versionId: string): Promise<void> {
    try {
      await this.client.addToReview(this.app, reviewId, versionId);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const items = await this.client.reviewItems(this.app, reviewId);
      if (!items.some((item) => item.versionId === versionId)) throw error;
    }
  }
}

const toldWith = ({ kind, message, details }: StoreFailure, note: string): StoreFailure =>
  new StoreFailure(kind, `${message} ${note}`, details);
