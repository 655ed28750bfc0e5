import { randomBytes } from 'node:crypto';

/** 32 letters from a to p, as Chromium derives them from a key. */
export function newExtensionId(): string {
  const letter = (nibble: number): string => String.fromCharCode('a'.charCodeAt(0) + nibble);
  return Array.from(randomBytes(16), (byte) => letter(byte >> 4) + letter(byte & 15)).join('');
}
