import { InvalidRequest } from '../../../common/problems/index.js';
import { PASSWORD_MIN, passwordFault } from './password-rule.js';

let common: Promise<ReadonlySet<string>> | undefined;

/** Loads the most common passwords that are long enough, on first use: the list takes 0.1 s and 10 MB, which most processes never need. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_MIN));
}

/**
 * Returns the fault of a new password; null when it is accepted.
 * @param own e-mail address of its user and names of the user's tenants, which it must not be
 */
export async function faultOfNewPassword(password: string, own: readonly string[]): Promise<string | null> {
  return passwordFault(password, { common: await (common ??= load()), own });
}

/**
 * Refuses a new password that is easy to guess.
 * @param own e-mail address of its user and names of the user's tenants, which it must not be
 */
export async function refuseGuessable(
  password: string,
  own: readonly string[],
  field: 'password' | 'newPassword' = 'password',
): Promise<void> {
  const message = await faultOfNewPassword(password, own);
  if (message !== null) throw new InvalidRequest([{ field, message }]);
}
