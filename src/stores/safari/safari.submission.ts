import { truncate } from '../../common/net/index.js';
import { leftOutNote, notesForListing } from '../release-notes.js';
import { compareVersions } from '../version.js';
import { StoreFailure } from '../failures/index.js';
import type { StepOutcome, SubmitOptions } from '../store.js';
import type { SafariCloudBuild } from './safari.cloud.js';
import { buildToSubmit, spellingsOf, type SafariBuild } from './safari.builds.js';
import type { SafariApp } from './safari.api.js';
import type { SafariClient } from './safari.client.js';
import { isConflict } from './safari.errors.js';
import { SAFARI_MAX_NOTES } from './safari.notes.js';
import { assertOurs, isSent, itemOf, usableReview } from './safari.reviews.js';
import { planSubmission, type SubmissionPlan } from './safari.submission-plan.js';
import type { SafariVersion } from './safari.states.js';

/** A version that was just created: it waits for its release once approved, and has no build yet. */
const NEW_VERSION = {
  state: 'draft',
  isParked: false,
  releaseType: 'MANUAL',
  earliestReleaseDate: undefined,
  buildId: null,
  phased: null,
} as const satisfies Partial<SafariVersion>;

type OpenPlan = Extract<SubmissionPlan, { readonly isSubmitted: false }>;

/** The declaration about encryption: a note about it, and whether Pierhead has just made it. */
interface EncryptionDeclaration {
  readonly isNew: boolean;
  readonly note: string;
}

/**
 * Submits one version of one platform for review (src/stores/README.md#safari-calls, src/stores/README.md#safari-rules). Each step first checks whether it
 * has already been done, so after a crash or a lost answer the whole can be started again.
 */
export class SafariSubmission {
  constructor(
    private readonly client: SafariClient,
    private readonly app: SafariApp,
    private readonly version: string,
    private readonly ownBuild: string | null,
    private readonly cloud: SafariCloudBuild | null,
    private readonly options: Pick<SubmitOptions, 'notes' | 'localizedNotes' | 'rolloutPercent' | 'encryption'>,
  ) {}

  /** @throws StoreFailure `wait` until the build is ready and no other version is in progress, `config` when a person must act */
  async send(): Promise<StepOutcome> {
    const spellings = spellingsOf(this.version);
    const { versions, raw } = await this.client.versions(this.app);
    const plan = planSubmission(versions, this.version);
    if (plan.isSubmitted) return { outcome: 'done', note: plan.note, raw };
    const builds = await this.client.builds(this.app, spellings);
    if (builds.length === 0 && this.ownBuild === null && this.cloud !== null) throw await this.cloud.next();
    const build = buildToSubmit(builds, this.version, { id: this.app.appId, ownBuild: this.ownBuild });
    const declaration = await this.declare(build);
    return this.submit(plan, build).then(
      ({ note, ...sent }) => ({ ...sent, note: [note, declaration?.note].join(' ').trim() }),
      (error: unknown) => {
        throw declaration?.isNew === true && error instanceof StoreFailure ? withNote(error, declaration.note) : error;
      },
    );
  }

  /**
   * Answers Apple's question about encryption with the author's declaration. It is a legal statement, so it always appears in the timeline.
   * @returns null when Apple already has an answer and the author has not declared anything
   * @throws StoreFailure `config` when Apple asks and the author has not declared anything
   */
  private async declare({ id, number, encryption }: SafariBuild): Promise<EncryptionDeclaration | null> {
    const { encryption: answer } = this.options;
    if (encryption !== null && answer === null) return null;
    if (encryption !== null)
      return { isNew: false, note: `The export-compliance question was already answered: ${encryption}.` };
    if (answer === null)
      throw new StoreFailure(
        'config',
        `Apple asks whether build ${number} of version ${this.version} uses encryption that is not exempt from export rules, and only its author can answer. Set the target's encryption to exempt (none, or only exempt encryption such as HTTPS) or to nonExempt, or answer in App Store Connect.`,
      );
    await this.client.answerEncryption(this.app, id, answer);
    const note = `Apple's export-compliance question about build ${number} was answered from the target's encryption setting: ${answer}.`;
    return { isNew: true, note };
  }

  private async submit(plan: OpenPlan, build: SafariBuild): Promise<StepOutcome> {
    const slot = await this.slotFor(plan.slot, build.version);
    const leftOut = await this.prepare(slot, build, plan.isUpdate);
    const reviewId = await this.openReview(slot.id);
    const handles = { build: build.id, appStoreVersion: slot.id, reviewSubmission: reviewId };
    const sent = await this.client.changeReview(this.app, reviewId, { submitted: true });
    if (sent.state === 'READY_FOR_REVIEW') {
      const message = `App Store Connect accepted the submission of version ${this.version} but shows it as not sent.`;
      throw new StoreFailure('retry', message, { raw: sent.raw });
    }
    const note = [`Version ${this.version} was sent for review with build ${build.number}.`, leftOut].join(' ').trim();
    return { outcome: 'done', handles, note, raw: sent.raw };
  }

  /** The platform's one editable version. It is created only when there is none, even if a concurrent change has just created one. */
  private async slotFor(listed: SafariVersion | null, version: string): Promise<SafariVersion> {
    if (listed !== null) return listed;
    try {
      const id = await this.client.createVersion(this.app, version);
      return { ...NEW_VERSION, id, version };
    } catch (error) {
      if (!isConflict(error)) throw error;
      const plan = planSubmission((await this.client.versions(this.app)).versions, this.version);
      if (plan.isSubmitted || plan.slot === null) throw error;
      return plan.slot;
    }
  }

  /** Sets the number, the build and the texts of the editable version. @returns a sentence about notes that it leaves out */
  private async prepare(slot: SafariVersion, build: SafariBuild, isUpdate: boolean): Promise<string | undefined> {
    const isAdopted = compareVersions(slot.version, this.version) !== 0;
    // The old version's texts are replaced before its number, so that the next attempt can tell that it was interrupted.
    const replaced = isAdopted && isUpdate ? await this.setWhatsNew(slot.id, () => true) : undefined;
    await this.rename(slot, build.version);
    if (slot.buildId !== build.id) await this.client.attachBuild(this.app, slot.id, build.id);
    // Texts that somebody wrote for this version are kept.
    const written =
      !isAdopted && isUpdate ? await this.setWhatsNew(slot.id, (whatsNew) => whatsNew === undefined) : undefined;
    await this.setPhasedRelease(slot, isUpdate);
    return replaced ?? written;
  }

  private async rename(slot: SafariVersion, versionString: string): Promise<void> {
    const changes = {
      ...(slot.version !== versionString && { versionString }),
      ...(slot.releaseType !== 'MANUAL' && { releaseType: 'MANUAL' }),
      ...(slot.earliestReleaseDate !== undefined && { earliestReleaseDate: null }),
    };
    if (Object.keys(changes).length > 0) await this.client.updateVersion(this.app, slot.id, changes);
  }

  /** Adds no language to the listing, whose other texts would be missing. @returns a sentence about notes in such languages */
  private async setWhatsNew(
    versionId: string,
    isReplaceable: (whatsNew: string | undefined) => boolean,
  ): Promise<string | undefined> {
    const { notes, localizedNotes } = this.options;
    const isLocalized = Object.keys(localizedNotes).length > 0;
    if (notes === null && !isLocalized) return undefined;
    const listed = await this.client.localizations(this.app, versionId);
    const main = isLocalized && notes === null ? ((await this.client.primaryLocale(this.app)) ?? null) : null;
    const locales = listed.flatMap(({ locale }) => locale ?? []);
    const { texts, leftOut } = notesForListing(this.options, locales, main);
    for (const { id, locale = '', whatsNew } of listed) {
      const text = truncate(texts[locale] ?? notes ?? '', SAFARI_MAX_NOTES);
      if (text !== '' && whatsNew !== text && isReplaceable(whatsNew))
        await this.client.updateWhatsNew(this.app, id, text);
    }
    return leftOutNote(leftOut, 'the listing has no such language, or another text is for it');
  }

  /** Apple's curve is fixed, so any percentage below 100 turns it on. A first version cannot have one. */
  private async setPhasedRelease({ id, phased }: SafariVersion, isUpdate: boolean): Promise<void> {
    const isWanted = isUpdate && this.options.rolloutPercent !== null && this.options.rolloutPercent < 100;
    if (isWanted && phased === null) await this.client.createPhasedRelease(this.app, id);
    if (!isWanted && phased !== null) await this.client.deletePhasedRelease(this.app, phased.id);
  }

  /** The id of a review submission that contains the version and nothing else. */
  private async openReview(versionId: string): Promise<string> {
    const review = usableReview(await this.client.openReviews(this.app), versionId);
    if (review !== null && isSent(review)) return review.id;
    const id = review?.id ?? (await this.client.createReview(this.app));
    const items = review === null ? [] : await this.client.reviewItems(this.app, id);
    assertOurs(items, versionId);
    const own = itemOf(items, versionId);
    if (own === undefined) await this.add(id, versionId);
    if (own?.state === 'REJECTED') await this.client.resolveItem(this.app, own.id);
    return id;
  }

  /** "Already added" means success when it was added to this submission. */
  private async add(reviewId: string, versionId: string): Promise<void> {
    try {
      await this.client.addToReview(this.app, reviewId, versionId);
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (itemOf(await this.client.reviewItems(this.app, reviewId), versionId) === undefined) throw error;
    }
  }
}

const withNote = ({ kind, message, details }: StoreFailure, note: string): StoreFailure =>
  new StoreFailure(kind, `${message} ${note}`, details);
