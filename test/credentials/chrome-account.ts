import { generateKeyPairSync } from 'node:crypto';
import { SandboxControl } from '../../src/sandbox/sandbox-control.js';
import type { World } from '../support/app.js';
import { Given } from '../support/given.js';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** What of the key may be shown. */
export const KEY_LAST_FOUR = privateKey.replaceAll(/-----[^-]+-----|\s/g, '').slice(-4);

/** Parts of the key, none of which may ever be seen. */
export const KEY_PARTS: readonly string[] = privateKey.split('\n').filter((line) => /^[^-]{8}/.test(line));

/** An account at the sandbox's store, in both forms of credentials. */
export interface ChromeAccount {
  readonly publisherId: string;
  readonly email: string;
  readonly key: {
    readonly publisherId: string;
    readonly serviceAccount: { client_email: string; private_key: string };
  };
  readonly token: {
    readonly publisherId: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly refreshToken: string;
  };
}

/** Gives all service accounts of a test file one key: making one takes longer than most tests. */
class OneKey extends SandboxControl {
  override chromeAccount(wish: object = {}): ReturnType<SandboxControl['chromeAccount']> {
    return super.chromeAccount({ serviceAccount: { private_key: privateKey }, ...wish });
  }
}

export const givenIn = ({ api, sandbox }: World): Given => new Given(api, new OneKey(sandbox.url));

export async function chromeAccount({ sandbox }: World): Promise<ChromeAccount> {
  const { publisherId, serviceAccount, oauth } = await new OneKey(sandbox.url).chromeAccount();
  const email = serviceAccount.client_email;
  return {
    publisherId,
    email,
    key: { publisherId, serviceAccount: { client_email: email, private_key: privateKey } },
    token: { publisherId, ...oauth },
  };
}
