import type { Tone } from '../../../targets/pure.js';

/** What the place of an extension among others follows from. */
export interface Placed {
  readonly id: string;
  /** How each target that it goes to is shown. */
  readonly tones: readonly Tone[];
  /** Users that stores count; null where none tells. */
  readonly users: number | null;
  /** Installs that sent a ping; null without analytics. */
  readonly installs: number | null;
}

/** What needs somebody comes first, then what moves. */
const RANKS: Readonly<Record<Tone, number>> = { rejected: 0, needs_you: 1, underway: 2, live: 3, off: 4 };
const NOT_SET_UP = 5;

/** Sorts extensions by how much they need attention, then by their users, and then newest first. Pure. */
export const byAttention = (one: Placed, other: Placed): number =>
  rankOf(one) - rankOf(other) || sizeOf(other) - sizeOf(one) || (one.id < other.id ? 1 : -1);

const rankOf = ({ tones }: Placed): number => Math.min(NOT_SET_UP, ...tones.map((tone) => RANKS[tone]));
const sizeOf = ({ users, installs }: Placed): number => users ?? installs ?? 0;
