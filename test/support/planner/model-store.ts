import { compareVersions } from '../../../src/stores/version.js';
import type { Capabilities, FailureKind, StoreStep, SubmissionState, UploadState } from '../../../src/stores/index.js';

/** A store as it truly is, on which the planner is tried: late, partial or missing is only what Pierhead is shown of it. */

export const MINUTE = 60_000;
export const START = Date.parse('2026-11-21T12:00:00Z');
const ALL_USERS = 100;

export type Party = 'pierhead' | 'person';
export type CallingStep = StoreStep['step'];

export interface Kind extends Pick<
  Capabilities,
  | 'requiresArtifact'
  | 'canCancel'
  | 'canReadInReview'
  | 'supersedesPending'
  | 'sharedDraft'
  | 'percentRollout'
  | 'widensByItself'
  | 'rollback'
  | 'resubmission'
> {
  /** Whether it tells what is submitted. */
  readonly tells: boolean;
  /** Two channels with versions of their own; a number is taken once over both. */
  readonly hasChannels: boolean;
}

const PLAIN: Kind = {
  requiresArtifact: true,
  canCancel: false,
  canReadInReview: true,
  supersedesPending: false,
  sharedDraft: false,
  percentRollout: false,
  widensByItself: false,
  rollback: false,
  resubmission: false,
  tells: true,
  hasChannels: false,
};

export const KINDS = {
  draft: { ...PLAIN, canCancel: true, sharedDraft: true, percentRollout: true, rollback: true, resubmission: true },
  superseding: { ...PLAIN, supersedesPending: true, rollback: true, hasChannels: true },
  builds: {
    ...PLAIN,
    requiresArtifact: false,
    canCancel: true,
    percentRollout: true,
    widensByItself: true,
    resubmission: true,
  },
  silent: { ...PLAIN, sharedDraft: true, canReadInReview: false, tells: false },
} satisfies Record<string, Kind>;

export interface Sent {
  readonly version: string;
  readonly by: Party;
  /** Approved, it rests until it is released. */
  readonly isStaged: boolean;
  /** Share of users to begin with; null for all. */
  readonly percent: number | null;
  state: SubmissionState;
  /** Pierhead was told that it exists: by the answer to its call, or by a look. */
  isHeard: boolean;
  /** A look showed it before its review had ended. */
  isSeen: boolean;
  /** The verdict that Pierhead saw when it sent it; seen again, it cannot be told from this one's. */
  readonly earlierVerdict: string | null;
}

interface Draft {
  readonly version: string;
  readonly by: Party;
  readonly at: number;
  /** The submission that it was replaced for. */
  readonly sent: Sent | null;
}

export interface View {
  readonly live: string | null;
  readonly offered: number | null;
  readonly sent: { readonly of: Sent; readonly version: string; readonly state: SubmissionState } | null;
  readonly takenDown: boolean;
}

/** When approved versions rest until they are released. */
export const STAGINGS = ['never', 'asked', 'always'] as const;

export interface StoreShape {
  readonly kind: Kind;
  readonly staging: (typeof STAGINGS)[number];
  /** How long a change takes to be shown. */
  readonly lag: number;
  /** How long an upload is processed, and a rollback takes. */
  readonly processing: number;
}

/** What is asked of the store. */
export interface Order {
  readonly step: CallingStep;
  readonly version: string;
  readonly isStaged: boolean;
  readonly percent: number | null;
  readonly earlierVerdict: string | null;
}

/** What the channels of an item share. */
interface Item {
  now: number;
  takenDown: boolean;
  readonly numbers: Map<string, ModelStore>;
}

export class Refused extends Error {
  constructor(readonly failure: FailureKind) {
    super(`refused: ${failure}`);
  }
}

export const isPending = (sent: Pick<Sent, 'state'> | null): boolean =>
  sent !== null && sent.state !== 'rejected' && sent.state !== 'cancelled';

/** A share as a store tells it: null for all users. */
const shareOf = (percent: number | null): number | null => (percent === ALL_USERS ? null : percent);

export class ModelStore {
  live: string | null = null;
  /** Who sent the live version; a rollback is Pierhead's. */
  liveBy: Party = 'person';
  /** Share of users who are offered the live version; null for all. */
  offered: number | null = null;
  sent: Sent | null = null;
  draft: Draft | null = null;
  readyAt: number | null = null;
  /** When Pierhead was last told that its upload is ready. */
  confirmedAt = START;
  readonly uploads = new Set<string>();
  /** A rollback that was taken and is not live yet. */
  private coming: { readonly version: string; readonly at: number } | null = null;
  private readonly past: { readonly at: number; readonly view: View }[] = [];

  constructor(
    readonly shape: StoreShape,
    private readonly item: Item = { now: START, takenDown: false, numbers: new Map() },
    readonly name = 'listed',
  ) {}

  /** The item's other channel, where the store has two. */
  besides(): ModelStore {
    return new ModelStore(this.shape, this.item, 'unlisted');
  }

  get now(): number {
    return this.item.now;
  }

  set now(now: number) {
    this.item.now = now;
  }

  get takenDown(): boolean {
    return this.item.takenDown;
  }

  set takenDown(takenDown: boolean) {
    this.item.takenDown = takenDown;
  }

  /** Keeps what a late look will show. */
  remember(): void {
    this.finishRollback();
    const { live, offered, sent, takenDown } = this;
    const shown = sent === null ? null : { of: sent, version: sent.version, state: sent.state };
    this.past.push({ at: this.now, view: { live, offered, sent: shown, takenDown } });
  }

  get view(): View {
    const shown = this.past.findLast(({ at }) => at <= this.now - this.shape.lag) ?? this.past[0];
    if (shown === undefined) throw new Error('The model remembers nothing');
    return shown.view;
  }

  get isProcessing(): boolean {
    return this.readyAt !== null && this.now < this.readyAt;
  }

  /** What it says of the upload of a version; of a shared draft it cannot say whose it is. */
  uploadOf(version: string): UploadState {
    if (this.readyAt === null || !(this.shape.kind.sharedDraft || this.uploads.has(version))) return 'none';
    return this.isProcessing ? 'processing' : 'ready';
  }

  call(order: Order): 'done' | 'pending' {
    const { step, version } = order;
    if (this.takenDown) throw new Refused('config');
    this.finishRollback();
    switch (step) {
      case 'upload':
        this.mustTake(version);
        this.draft = { version, by: 'pierhead', at: this.now, sent: null };
        this.uploads.add(version);
        this.readyAt = this.now + this.shape.processing;
        return this.uploaded();
      case 'poll':
        return this.uploaded();
      case 'submit':
        return this.submit(order);
      case 'release':
        if (this.sent?.state === 'approved') this.sent.state = 'releasing';
        else if (this.live !== version && this.sent?.state !== 'releasing') throw new Refused('config');
        return 'done';
      case 'rollout':
        return this.rollOut(order);
      case 'rollback':
        return this.rollBack(version);
      case 'cancel':
        if (this.sent !== null && isPending(this.sent)) this.sent.state = 'cancelled';
        return 'done';
    }
  }

  private uploaded(): 'done' | 'pending' {
    if (this.isProcessing || this.readyAt === null) return 'pending';
    this.confirmedAt = this.now;
    return 'done';
  }

  private submit({ version, isStaged, percent, earlierVerdict }: Order): 'done' {
    const { kind, staging } = this.shape;
    const content = kind.sharedDraft ? this.draft?.version : version;
    if (content === undefined || (kind.requiresArtifact && !kind.sharedDraft && !this.uploads.has(version)))
      throw new Refused('config');
    this.mustTake(content);
    if (this.isProcessing) throw new Refused('wait');
    this.item.numbers.set(content, this);
    // What a person slipped into the draft stays that person's, no matter who sent it.
    const by = content === version ? 'pierhead' : (this.draft?.by ?? 'person');
    const rests = staging === 'always' || (staging === 'asked' && isStaged);
    const told = { isHeard: false, isSeen: false, earlierVerdict };
    this.sent = { version: content, by, isStaged: rests, percent, state: 'in_review', ...told };
    return 'done';
  }

  /** The store only ever raises the share; one that does so by itself can only be asked for all users. */
  private rollOut({ version, percent }: Order): 'done' {
    const wanted = percent ?? ALL_USERS;
    if (this.shape.kind.widensByItself && wanted < ALL_USERS) throw new Refused('wait');
    if (this.live !== version || wanted < (this.offered ?? ALL_USERS)) throw new Refused('config');
    this.offered = shareOf(wanted);
    return 'done';
  }

  /** A number is taken once: asked again, the store says what became of it. No package is involved, so none is at fault. */
  private rollBack(version: string): 'done' | 'pending' {
    if (this.live !== version && this.coming?.version !== version) {
      if (!this.shape.kind.rollback) throw new Refused('config');
      this.mustTake(version, 'config');
      this.item.numbers.set(version, this);
      this.coming = { version, at: this.now + this.shape.processing };
      this.finishRollback();
    }
    return this.coming === null ? 'done' : 'pending';
  }

  private finishRollback(): void {
    if (this.coming === null || this.now < this.coming.at) return;
    const { version } = this.coming;
    this.coming = null;
    if (!this.publish({ version, by: 'pierhead', percent: null }) || this.sent === null) return;
    if (isPending(this.sent) && compareVersions(this.sent.version, version) <= 0) this.sent = null;
  }

  private publish({ version, by, percent }: Pick<Sent, 'version' | 'by' | 'percent'>): boolean {
    if (this.live !== null && compareVersions(version, this.live) <= 0) return false;
    this.live = version;
    this.liveBy = by;
    this.offered = shareOf(percent);
    return true;
  }

  private mustTake(version: string, tooLow: FailureKind = 'artifact'): void {
    if (isPending(this.sent) && (!this.shape.kind.supersedesPending || this.sent?.version === version))
      throw new Refused('wait');
    if (this.isTaken(version)) throw new Refused('artifact');
    if (this.live !== null && compareVersions(version, this.live) <= 0) throw new Refused(tooLow);
  }

  /** By the item's other channel, or by a rollback under way. */
  private isTaken(version: string): boolean {
    return (this.item.numbers.get(version) ?? this) !== this || this.coming?.version === version;
  }

  /** The review's and the release's next step. */
  approve(): void {
    const { sent } = this;
    if (sent === null) return;
    if (sent.state === 'releasing' || (isPending(sent) && sent.state !== 'approved' && !sent.isStaged)) {
      this.publish(sent);
      this.sent = null;
    } else if (sent.state === 'in_review' || sent.state === 'unknown') sent.state = 'approved';
  }

  release(): void {
    if (this.sent?.state === 'approved') this.sent.state = 'releasing';
  }

  /** A store may raise the share by itself. */
  widen(): void {
    this.offered = this.offered !== null && this.offered < 50 ? 50 : null;
  }

  /** One upload is taken at a time, and none while a review is open. */
  personReplacesDraft(version: string, sent: Sent | null = null): void {
    if (this.isProcessing || (sent === null && isPending(this.sent))) return;
    this.draft = { version, by: 'person', at: this.now, sent };
  }

  personSubmits(version: string): void {
    const isBlocked = isPending(this.sent) && !this.shape.kind.supersedesPending;
    const isTooLow = this.live !== null && compareVersions(version, this.live) <= 0;
    if (isBlocked || isTooLow || this.isProcessing || this.isTaken(version)) return;
    this.item.numbers.set(version, this);
    const told = { isHeard: false, isSeen: false, earlierVerdict: null };
    const isStaged = this.shape.staging !== 'never';
    const sent: Sent = { version, by: 'person', isStaged, percent: null, state: 'in_review', ...told };
    this.personReplacesDraft(version, sent);
    this.sent = sent;
  }

  decideReview(state: 'rejected' | 'cancelled' | 'unknown'): void {
    if (this.sent !== null && isPending(this.sent) && this.sent.state !== 'releasing') this.sent.state = state;
  }
}
