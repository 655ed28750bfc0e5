import { imageDimensionsFromData } from 'image-dimensions';

/** Largest logo, in bytes and in pixels of either side. */
export const MAX_LOGO_BYTES = 64 * 1024;
export const MAX_LOGO_SIDE = 1024;

export const LOGO_TYPES = ['image/png', 'image/jpeg'] as const;

/** A logo that browsers can show. */
export interface Logo {
  readonly type: (typeof LOGO_TYPES)[number];
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** The last bytes of a whole picture. One that ends otherwise was cut off, or has something behind it. */
const ENDS: Readonly<Record<Logo['type'], Buffer>> = {
  'image/png': Buffer.from('0000000049454e44ae426082', 'hex'),
  'image/jpeg': Buffer.from('ffd9', 'hex'),
};

/**
 * Recognizes a logo by its bytes. Pure.
 * @returns the logo, or the end of a sentence that says what is wrong
 */
export function readLogo(bytes: Buffer): Logo | string {
  if (bytes.length > MAX_LOGO_BYTES) return `must be at most ${MAX_LOGO_BYTES / 1024} kB.`;
  const found = imageDimensionsFromData(bytes);
  const type = LOGO_TYPES.find((one) => one === `image/${found?.type}`);
  if (found === undefined || type === undefined || !bytes.subarray(-ENDS[type].length).equals(ENDS[type]))
    return 'must be a complete PNG or JPEG picture with nothing after it.';
  const { width, height } = found;
  return Math.min(width, height) < 1 || Math.max(width, height) > MAX_LOGO_SIDE
    ? `must be at most ${MAX_LOGO_SIDE} pixels wide and high; this one has ${width} × ${height}.`
    : { type, width, height };
}
