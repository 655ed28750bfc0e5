/** The provider's statements about the person who signs in. */
export interface ProviderClaims {
  readonly issuer: string;
  /** The provider's name for the person, which never changes. */
  readonly subject: string;
  /** Lower case; null when the provider names no valid address, or does not say that it verified it. */
  readonly verifiedEmail: string | null;
}

/** The user who has the e-mail address that the provider verified. */
interface MatchingAccount {
  readonly userId: string;
  /** Whether this service knows that the user receives mail at the address. */
  readonly isEmailProven: boolean;
  readonly hasSecondFactor: boolean;
  /** Whether another person of the same provider signs in as this user. */
  readonly isLinked: boolean;
}

/** Facts about the person in this service. */
export interface AdmissionFacts {
  /** The user that the person is linked to; null for a new person. */
  readonly linkedUserId: string | null;
  readonly account: MatchingAccount | null;
  /** Whether a tenant has invited the verified address, and the invitation is open. */
  readonly isInvited: boolean;
}

/** Permissions that the operator gives. */
export interface AdmissionRules {
  /** Undefined allows any domain. */
  readonly allowedDomains: readonly string[] | undefined;
  readonly signup: 'invited' | 'create';
}

export type Refusal = 'email_not_verified' | 'domain_not_allowed' | 'account_not_linked' | 'not_invited';

/** Outcome of a sign-in. */
export type Admission =
  | { readonly step: 'begin_session'; readonly userId: string }
  | { readonly step: 'link'; readonly userId: string }
  | { readonly step: 'join' | 'create_tenant'; readonly email: string }
  | { readonly step: 'refuse'; readonly because: Refusal };

/**
 * Decides which user a person signs in as, whom an OpenID provider has authenticated.
 *
 * A person is recognized by issuer and subject, never by address: addresses change hands. An address counts only when the provider verified
 * it, and it links a new person to an existing account only if nobody can get another person's account that way:
 *
 * - The user has proven to receive mail at the address. Otherwise a stranger could sign up with another person's address, wait until that
 *   person is linked to the account, and still have its password.
 * - The user has no second factor, which the sign-in would bypass.
 * - No other person of the provider is linked to the user. Otherwise the address has changed hands at the provider.
 *
 * Every other user logs in as before and links the account from there.
 */
export function decideAdmission(
  { verifiedEmail }: Pick<ProviderClaims, 'verifiedEmail'>,
  { linkedUserId, account, isInvited }: AdmissionFacts,
  { allowedDomains, signup }: AdmissionRules,
): Admission {
  const refusal = refusalByDomain(verifiedEmail, allowedDomains);
  if (refusal !== null) return refuse(refusal);
  if (linkedUserId !== null) return { step: 'begin_session', userId: linkedUserId };
  if (verifiedEmail === null) return refuse('email_not_verified');
  if (account !== null)
    return account.isEmailProven && !account.hasSecondFactor && !account.isLinked
      ? { step: 'link', userId: account.userId }
      : refuse('account_not_linked');
  if (isInvited) return { step: 'join', email: verifiedEmail };
  return signup === 'create' ? { step: 'create_tenant', email: verifiedEmail } : refuse('not_invited');
}

const refuse = (because: Refusal): Admission => ({ step: 'refuse', because });

/** Why a person with this address cannot sign in where only some domains are allowed; null when the person can. */
export function refusalByDomain(
  verifiedEmail: string | null,
  allowed: AdmissionRules['allowedDomains'],
): Extract<Refusal, 'email_not_verified' | 'domain_not_allowed'> | null {
  if (allowed === undefined) return null;
  if (verifiedEmail === null) return 'email_not_verified';
  return allowed.includes(verifiedEmail.slice(verifiedEmail.lastIndexOf('@') + 1)) ? null : 'domain_not_allowed';
}
