/** Fewest characters of a new password, and most of any. */
export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 1024;

/** Texts with which a new password is compared, in lower case. */
export interface KnownWords {
  /** The most common passwords. */
  readonly common: ReadonlySet<string>;
  /** Facts that any attacker of the account knows: its e-mail address, the names of its tenants. */
  readonly own: readonly string[];
}

/** Returns the fault of a new password, as the message of its field; null when it is accepted. Pure. */
export function passwordFault(password: string, { common, own }: KnownWords): string | null {
  const folded = fold(password);
  if (common.has(folded)) return 'is one of the commonest passwords. Choose another one.';
  const names = own.flatMap((name) => [fold(name), fold(name).split('@')[0]]);
  return names.includes(folded) ? 'must not be your e-mail address or the name of your tenant.' : null;
}

const fold = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
