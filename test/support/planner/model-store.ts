import { compareVersions } from '../../../src/common/version/version.js';
import type { Capabilities, FailureKind, SubmissionState } from '../../../src/stores/index.js';

/** A store as it truly is, for whom the planner is tried on: late, partial or missing is only what Pierhead is shown of it. */

export const MINUTE = 60_000;
export const START = Date.parse('2026-11-21T12:00:00Z');

export type Party = 'pierhead' | 'person';
export type CallingStep = 'upload' | 'poll' | 'submit' | 'release' | 'cancel';

export interface Kind extends Pick<
  Capabilities,
  'requiresArtifact' | 'canCancel' | 'supersedesPending' | 'sharedDraft'
> {
  /** Whether it tells what is submitted. */
  readonly tells: boolean;
}

export const KINDS = {
  draft: { requiresArtifact: true, canCancel: true, supersedesPending: false, sharedDraft: true, tells: true },
  superseding: { requiresArtifact: true, canCancel: false, supersedesPending: true, sharedDraft: false, tells: true },
  builds: { requiresArtifact: false, canCancel: true, supersedesPending: false, sharedDraft: false, tells: true },
  silent: { requiresArtifact: true, canCancel: false, supersedesPending: false, sharedDraft: true, tells: false },
} satisfies Record<string, Kind>;

export interface Sent {
  readonly version: string;
  readonly by: Party;
  state: SubmissionState;
  /** Pierhead was told that it exists: by the answer to its call, or by a look. */
  isHeard: boolean;
  /** A look showed it before its review had ended. */
  isSeen: boolean;
  /** The verdict that Pierhead saw when it sent it; seen again, it cannot be told from this one's. */
  readonly verdictBefore: string | null;
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
  readonly sent: { readonly of: Sent; readonly version: string; readonly state: SubmissionState } | null;
  readonly takenDown: boolean;
}

export interface StoreShape {
  readonly kind: Kind;
  /** Approved versions rest until they are released. */
  readonly isStaged: boolean;
  /** How long a change takes to be shown. */
  readonly lag: number;
  /** How long an upload is processed. */
  readonly processing: number;
}

export class Refused extends Error {
  constructor(readonly failure: FailureKind) {
    super(`refused: ${failure}`);
  }
}

export const isPending = (sent: Pick<Sent, 'state'> | null): boolean =>
  sent !== null && sent.state !== 'rejected' && sent.state !== 'cancelled';

export class ModelStore {
  now = START;
  live: string | null = null;
  sent: Sent | null = null;
  draft: Draft | null = null;
  readyAt: number | null = null;
  /** When Pierhead was last told that its upload is ready. */
  confirmedAt = START;
  takenDown = false;
  readonly uploads = new Set<string>();
  private readonly past: { readonly at: number; readonly view: View }[] = [];

  constructor(readonly shape: StoreShape) {}

  /** Keeps what a late look will show. */
  remember(): void {
    const { live, sent, takenDown } = this;
    const shown = sent === null ? null : { of: sent, version: sent.version, state: sent.state };
    this.past.push({ at: this.now, view: { live, sent: shown, takenDown } });
  }

  get view(): View {
    const shown = this.past.findLast(({ at }) => at <= this.now - this.shape.lag) ?? this.past[0];
    if (shown === undefined) throw new Error('The model remembers nothing');
    return shown.view;
  }

  get isProcessing(): boolean {
    return this.readyAt !== null && this.now < this.readyAt;
  }

  call(step: CallingStep, version: string, verdictBefore: string | null): 'done' | 'pending' {
    if (this.takenDown) throw new Refused('config');
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
        return this.submit(version, verdictBefore);
      case 'release':
        if (this.sent?.state === 'approved') this.sent.state = 'releasing';
        else if (this.live !== version && this.sent?.state !== 'releasing') throw new Refused('config');
        return 'done';
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

  private submit(version: string, verdictBefore: string | null): 'done' {
    const { kind } = this.shape;
    const content = kind.sharedDraft ? this.draft?.version : version;
    if (content === undefined || (kind.requiresArtifact && !kind.sharedDraft && !this.uploads.has(version)))
      throw new Refused('config');
    this.mustTake(content);
    if (this.isProcessing) throw new Refused('wait');
    // What a person slipped into the draft is that person's, whoever sent it.
    const by = content === version ? 'pierhead' : 'person';
    this.sent = { version: content, by, state: 'in_review', isHeard: false, isSeen: false, verdictBefore };
    return 'done';
  }

  private mustTake(version: string): void {
    if (isPending(this.sent) && (!this.shape.kind.supersedesPending || this.sent?.version === version))
      throw new Refused('wait');
    if (this.live !== null && compareVersions(version, this.live) <= 0) throw new Refused('artifact');
  }

  /** The review's and the release's next step. */
  approve(): void {
    const { sent } = this;
    if (sent === null) return;
    if (sent.state === 'releasing' || (isPending(sent) && sent.state !== 'approved' && !this.shape.isStaged)) {
      this.live = sent.version;
      this.sent = null;
    } else if (sent.state === 'in_review' || sent.state === 'unknown') sent.state = 'approved';
  }

  release(): void {
    if (this.sent?.state === 'approved') this.sent.state = 'releasing';
  }

  /** One upload is taken at a time, and none while a review is open. */
  personReplacesDraft(version: string, sent: Sent | null = null): void {
    if (this.isProcessing || (sent === null && isPending(this.sent))) return;
    this.draft = { version, by: 'person', at: this.now, sent };
  }

  personSubmits(version: string): void {
    const isBlocked = isPending(this.sent) && !this.shape.kind.supersedesPending;
    if (isBlocked || this.isProcessing || (this.live !== null && compareVersions(version, this.live) <= 0)) return;
    const sent: Sent = {
      version,
      by: 'person',
      state: 'in_review',
      isHeard: false,
      isSeen: false,
      verdictBefore: null,
    };
    this.personReplacesDraft(version, sent);
    this.sent = sent;
  }

  judge(state: 'rejected' | 'cancelled' | 'unknown'): void {
    if (this.sent !== null && isPending(this.sent) && this.sent.state !== 'releasing') this.sent.state = state;
  }
}
