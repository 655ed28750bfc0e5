import type { Schemas } from '../../api';
import { without } from '../../api/without';
import type { Conflict } from '../../ui';

export type Branding = Schemas['Branding'];

/** Changes to write; null removes a value. */
export type Draft = Schemas['UpdateBranding'];

const NAMES = {
  displayName: 'Name',
  supportAddress: 'Support address',
  accentColor: 'Accent colour',
  logo: 'Logo',
} as const satisfies Readonly<Record<keyof Draft, string>>;

/** Changes of others since the branding was read, beside those of the form. */
export const conflictsOf = (before: Branding, now: Branding, draft: Draft): readonly Conflict<keyof Draft>[] =>
  (Object.keys(NAMES) as readonly (keyof Draft)[])
    .filter((name) => valueOf(before, name) !== valueOf(now, name))
    .map((name) => ({
      name,
      label: NAMES[name],
      theirs: shown(name, valueOf(now, name)),
      mine: draft[name] === undefined ? null : shown(name, draft[name]),
    }));

/** A draft with another change, without what is as it was. */
export function drafted(draft: Draft, change: Draft, base: Branding): Draft {
  const all: Draft = { ...draft, ...change };
  return without(
    all,
    (Object.keys(all) as readonly (keyof Draft)[]).filter((name) => (all[name] ?? null) === valueOf(base, name)),
  );
}

/** Why the service would refuse a file as a logo; null for one that it may accept. */
export async function logoFault(file: File): Promise<string | null> {
  if (file.size > MAX_LOGO_BYTES)
    return `This file is ${Math.ceil(file.size / 1024)} kB. A logo can be at most ${MAX_LOGO_BYTES / 1024} kB.`;
  const picture = await createImageBitmap(file).catch(() => null);
  return picture === null ? 'The browser cannot read this file as a picture.' : null;
}

/** A file as a request carries it. */
export const base64Of = async (file: File): Promise<string> =>
  btoa(Array.from(new Uint8Array(await file.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));

/** A colour as the service takes it, which may be typed without its first sign; null for anything else. */
export function colourIn(text: string): string | null {
  const digits = /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1];
  return digits === undefined ? null : `#${digits.toLowerCase()}`;
}

/** The service refuses larger ones. */
const MAX_LOGO_BYTES = 64 * 1024;

const valueOf = (branding: Branding, name: keyof Draft): string | null =>
  name === 'logo' ? (branding.logo?.sha256 ?? null) : branding[name];

const shown = (name: keyof Draft, value: string | null): string =>
  value === null ? 'nothing' : name === 'logo' ? 'another picture' : value;
