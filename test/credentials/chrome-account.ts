import type { World } from '../support/app.js';
import { SERVICE_ACCOUNT_KEY } from '../support/keys.js';

/** What of the key may be shown. */
export const KEY_LAST_FOUR = SERVICE_ACCOUNT_KEY.replaceAll(/-----[^-]+-----|\s/g, '').slice(-4);

/** Parts of the key, none of which may ever be seen. */
export const KEY_PARTS: readonly string[] = SERVICE_ACCOUNT_KEY.split('\n').filter((line) => /^[^-]{8}/.test(line));

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

export async function chromeAccount({ control }: World): Promise<ChromeAccount> {
  const { publisherId, serviceAccount, oauth } = await control.chromeAccount();
  const email = serviceAccount.client_email;
  return {
    publisherId,
    email,
    key: { publisherId, serviceAccount: { client_email: email, private_key: SERVICE_ACCOUNT_KEY } },
    token: { publisherId, ...oauth },
  };
}
