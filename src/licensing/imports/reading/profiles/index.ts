/** The files of tools, one of data for each. */
import { foldName } from '../fold.js';
import type { Profile, ProfileName } from '../profile.js';
import { GENERIC } from './generic.js';
import { GUMROAD } from './gumroad.js';
import { KEYGEN } from './keygen.js';
import { LEMONSQUEEZY } from './lemonsqueezy.js';
import { PIERHEAD } from './pierhead.js';
import { POLAR } from './polar.js';

const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  pierhead: PIERHEAD,
  gumroad: GUMROAD,
  polar: POLAR,
  keygen: KEYGEN,
  lemonsqueezy: LEMONSQUEEZY,
};

/** Returns the profile with a name, or the one for files of no known tool. */
export const profileOf = (name: ProfileName | null): Profile => (name === null ? GENERIC : PROFILES[name]);

/** Recognizes the tool whose file has these columns; null for none. Pure. */
export function recognize(columns: readonly string[]): ProfileName | null {
  const folded = new Set(columns.map(foldName));
  const names = Object.keys(PROFILES) as ProfileName[];
  return names.find((name) => PROFILES[name].recognizedBy.some((all) => all.every((one) => folded.has(one)))) ?? null;
}
