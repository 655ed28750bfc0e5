/** One field of the credentials for a store or payment processor, for the person who has to fetch it. */
export interface CredentialField {
  /** As in the request, nested ones with dots: `serviceAccount.private_key`. */
  readonly name: string;
  /** What the store or processor calls it. */
  readonly title: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** Where to get it. */
  readonly how: string;
  /** The downloaded file that contains it; absent where it is copied from a page. */
  readonly file?: KeyFile;
}

/** A file that a store lets a person download. */
export interface KeyFile {
  /** Its usual name; `*` stands for anything, and a field's name in braces for the value of that field: `AuthKey_{keyId}.p8`. */
  readonly name: string;
  /** The member of its JSON that is the value; null where the whole file is. */
  readonly member: string | null;
}

/** The form of a tenant's credentials for a store or payment processor. */
export interface CredentialShape<Credentials extends object> {
  /** DTO class that validates them. */
  readonly type: new () => Credentials;
  /** The one secret whose last four characters may be shown. */
  secretOf(credentials: Credentials): string;
  /** The fields of each accepted form, the recommended form first. */
  readonly forms: readonly (readonly CredentialField[])[];
  /** Days after which they expire by themselves; null where they do not. */
  readonly lapsesAfterDays: number | null;
}

/** The account that credentials belong to, as the store or payment processor names it. */
export interface VerifiedIdentity {
  readonly identity: string;
}
