import { importPKCS8, type SignJWT } from 'jose';
import { StoreFailure } from './failures/store-failure.js';

/** A PEM with real line breaks. Environment variables and JSON files often hold them as the two characters `\n`. */
export function normalizePem(text: string): string {
  return text
    .replace(/\\r|\r/g, '')
    .replaceAll('\\n', '\n')
    .trim();
}

/** The base64 between the lines of dashes. */
export const pemBody = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');

/** @throws StoreFailure `credential`, with `message`, when the key cannot be read */
export async function signWithPem(
  token: SignJWT,
  pem: string,
  algorithm: 'RS256' | 'ES256',
  message: string,
): Promise<string> {
  try {
    return await token.sign(await importPKCS8(pem, algorithm));
  } catch {
    // The error is not kept as the cause: it may quote the key.
    throw new StoreFailure('credential', message, { isUnreadable: true });
  }
}
