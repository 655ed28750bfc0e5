import type { Schemas } from '../api';
import { daysIn } from './notices';

/** A limit as a person types it; null for an empty field, which leaves it to somebody else. What is no number is sent as one that the service refuses. */
export const limitIn = (text: string): number | null => (text.trim() === '' ? null : daysIn(text));

/** A limit as its field shows it. */
export const shownLimit = (limit: number | null): string => (limit === null ? '' : String(limit));

/** The people of a plan's licenses, in words; empty for licenses of one person. */
export function shownTeam({
  maxMembers,
  seatsPerMember,
}: Pick<Schemas['Plan'], 'maxMembers' | 'seatsPerMember'>): string {
  if (maxMembers === null) return '';
  const people = `for ${maxMembers} ${maxMembers === 1 ? 'person' : 'people'} besides the buyer`;
  return seatsPerMember === null ? people : `${people}, ${seatsPerMember} each`;
}
