import type { Schema } from '../api/service.js';
import type { StoreId } from '../stores.js';

type Credential = Schema<'Credential'>;
type Secrets = Readonly<Record<string, unknown>>;

/** Whom a credential belongs to, where that is part of it; the service shows the same. Firefox's is a user name, which is not. */
function identityOf(store: StoreId, credentials: Secrets): string | null {
  const { serviceAccount, clientId, keyId } = credentials;
  const email = (serviceAccount as { readonly client_email?: string } | undefined)?.client_email;
  const identity = { chrome: email ?? clientId, edge: clientId, safari: keyId, firefox: null }[store];
  return typeof identity === 'string' ? identity.trim() : null;
}

/** The end of the secret, as the service shows it: of a key without its frame. */
function lastFourOf({ serviceAccount, privateKey, refreshToken, apiKey, secret }: Secrets): string {
  const pem = (serviceAccount as { readonly private_key?: string } | undefined)?.private_key ?? privateKey;
  const text = typeof pem === 'string' ? pem.replaceAll(/-----[^-]+-----|\s/g, '') : (refreshToken ?? apiKey ?? secret);
  return String(text).trim().slice(-4);
}

/**
 * Finds stored credentials equal to the given one. Pure.
 * @returns `same` with the same secret, and `older` of the same identity with another one; undefined for none
 */
export function knownOf(
  known: readonly Credential[],
  store: StoreId,
  credentials: Secrets,
): { readonly same: Credential | undefined; readonly older: Credential | undefined } {
  const identity = identityOf(store, credentials);
  const own = known.filter((each) => each.store === store && (identity === null || each.identity === identity));
  const same = own.find((each) => each.lastFour === lastFourOf(credentials));
  return { same, older: identity === null || same !== undefined ? undefined : own[0] };
}
