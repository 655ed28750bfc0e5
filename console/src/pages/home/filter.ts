import type { Schemas } from '../../api';
import { isUsed } from '../../setup/followed';

type Extension = Schemas['OverviewExtension'];

/** States by which the extensions can be filtered, and what each is called. */
export const STATES = {
  needs_you: 'Needs you',
  underway: 'On its way',
  live: 'Live',
  starred: 'Starred',
} as const;
export type State = keyof typeof STATES;

export const isState = (text: string | null): text is State => text !== null && text in STATES;

/** What is searched for; an empty text and null are everything. */
export interface Filter {
  readonly words: string;
  readonly state: State | null;
}

/** Whether an extension goes to any store. */
export const isSetUp = ({ targets }: Extension): boolean => targets.some(isUsed);

const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Whether a filter shows an extension: its name has each word, and it is in the state at one of its stores. Pure. */
export function shows({ words, state }: Filter, extension: Extension, stars: ReadonlySet<string>): boolean {
  const name = fold(extension.name);
  if (
    !fold(words)
      .split(/\s+/)
      .every((word) => name.includes(word))
  )
    return false;
  if (state === null) return true;
  if (state === 'starred') return stars.has(extension.id);
  const tones = extension.targets.filter(isUsed).map(({ display: { tone } }) => tone);
  return tones.some((tone) => tone === state || (state === 'needs_you' && tone === 'rejected'));
}
