import type { StoreId } from '../../../stores/pure.js';
import type { Tone, Turn } from '../../../targets/pure.js';

/** Kinds of needs, in the order in which they are shown. */
export const NEED_KINDS = [
  'taken_down',
  'rejected',
  'credential_rejected',
  'credential_expired',
  'approval_waiting',
  'approval_rejected',
  'held',
  'action_required',
  'release_waiting',
  'incomplete',
  'stalled',
  'credential_expiring',
  'sales_unmapped',
  'codes_undelivered',
  'notifications_undelivered',
  'trials_filling',
  'test_mode_open',
] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

/** The party that must act next: the caller, the store while Pierhead keeps polling it, or another person of the tenant. */
export const NEED_TURNS = ['you', 'store', 'team'] as const satisfies readonly (Turn | 'team')[];
export type NeedTurn = (typeof NEED_TURNS)[number];

/** One thing that needs attention. */
export interface Need {
  /** Its kind and what it is about, the same for as long as it is the same need. */
  readonly key: string;
  readonly kind: NeedKind;
  readonly turn: NeedTurn;
  readonly tone: Tone;
  /** The situation, in one sentence. */
  readonly what: string;
  /** Advice in one sentence. */
  readonly remedy: string;
  /** The store's own words; null where it said nothing. */
  readonly message: string | null;
  /** Since when; for a credential, when it expires. */
  readonly at: Date | null;
  readonly count: number;
  readonly extensionId: string | null;
  readonly targetId: string | null;
  readonly credentialId: string | null;
  readonly approvalId: string | null;
  readonly store: StoreId | null;
  /** The version that waits; null where it is about none. */
  readonly version: string | null;
  /** The page outside of Pierhead on which to act. */
  readonly url: string | null;
  /** The word for what answers it, as a button has it; null where the caller may not do it. */
  readonly action: string | null;
  /** Where that is done: a path of the console that opens it, or an address at the store. */
  readonly href: string | null;
}
