import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usageFailure } from '../failure.js';

/** A larger file is no key. */
const MAX_BYTES = 256 * 1024;
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** In JSON, where line ends are written as `\n`, and a caption of a field may name the frame alone. */
const PEM_IN_JSON = /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\\[rn])*[\w+/=]{16}/;
const PRIVATE_KEY_MEMBER = /"private_key"\s*:\s*"[^"]{16}/;
/** Private keys of SSH, key files of Google's console, key stores, passwords of web servers. */
const NAMED_AS_SECRET =
  /(?:^|\/)(?:id_(?:rsa|dsa|ecdsa|ed25519)|client_secret[^/]*\.json|[^/]*\.(?:p12|pfx|jks|keystore)|\.htpasswd)$/i;
const NPM_SECRET = /(?:^|:)_(?:authToken|password|auth)\s*=\s*(?!["']?\$\{)\S/m;

/** Whether a file is the private key of something: a PEM, or JSON as Google's key files. Pure. */
export function isPrivateKey(name: string, text: string): boolean {
  if (name.endsWith('.json')) return PEM_IN_JSON.test(text) || PRIVATE_KEY_MEMBER.test(text);
  // Code may well speak of the frame of a key, and a key's file is nothing else.
  return text.trimStart().startsWith('-----BEGIN ') && PEM.test(text);
}

/** Whether a `.npmrc` holds a secret itself, instead of the name of a variable. Pure. */
export const holdsNpmToken = (npmrc: string): boolean => NPM_SECRET.test(npmrc);

/**
 * Refuses to pack what is named as secrets are, unless the user names it.
 * @param leaveOutBy how the user leaves the file out
 * @throws Failure that names the file
 */
export function assertNotNamedAsSecret(
  folder: string,
  files: readonly string[],
  leaveOutBy: string,
  named: readonly string[] = [],
): void {
  const found = files.find((path) => NAMED_AS_SECRET.test(path) && !named.includes(path));
  if (found !== undefined)
    throw usageFailure(
      `${join(folder, found)} is named as files with secrets are. Nothing was packed.`,
      `${leaveOutBy} If it holds none, take it in there with !${found}.`,
    );
}

/**
 * Refuses to pack a private key, which a store would publish or show to its reviewers.
 * @param leaveOutBy how the user leaves the file out
 * @throws Failure that names the file
 */
export async function assertNoPrivateKey(
  folder: string,
  files: readonly { readonly path: string; readonly size: number }[],
  leaveOutBy: string,
): Promise<void> {
  for (const { path, size } of files)
    if (size <= MAX_BYTES && isPrivateKey(path, await readFile(join(folder, path), 'utf8')))
      throw usageFailure(`${join(folder, path)} holds a private key. Nothing was packed.`, leaveOutBy);
}
