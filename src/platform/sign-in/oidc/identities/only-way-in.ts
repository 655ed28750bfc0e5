/** Other ways in which a user can log in. */
interface OtherWays {
  /** Whether the user has a password, and passwords are switched on. */
  readonly hasPassword: boolean;
  /** The issuer of the provider that is set now. */
  readonly oidcIssuer: string | undefined;
}

/** Whether a user could not log in again without one of the linked identities. Pure. */
export const isOnlyWayIn = (
  id: string,
  identities: readonly { readonly id: string; readonly issuer: string }[],
  { hasPassword, oidcIssuer }: OtherWays,
): boolean => !hasPassword && !identities.some((one) => one.id !== id && one.issuer === oidcIssuer);
