import { Transform, type TransformFnParams } from 'class-transformer';
import { Matches, ValidateIf } from 'class-validator';
import { normalizePem, pemBody } from '../pem.js';
import type { CredentialField } from '../store.js';

const PEM = /^-----BEGIN PRIVATE KEY-----\s[A-Za-z0-9+/=\s]{40,4000}-----END PRIVATE KEY-----$/;

/** A team key of App Store Connect, or without `issuerId` an individual key (src/stores/README.md#safari-authentication). */
export class SafariCredentials {
  @ValidateIf(({ issuerId }: SafariCredentials) => issuerId != null)
  @Transform(({ value }: TransformFnParams) => trimmed(value))
  @Matches(/^[A-Za-z0-9-]{1,100}$/, {
    message: 'must be the one that App Store Connect shows above the team keys. Omit it for an individual key.',
  })
  issuerId?: string | null;

  @Transform(({ value }: TransformFnParams) => trimmed(value))
  @Matches(/^[A-Za-z0-9]{1,40}$/, { message: 'must be the one that App Store Connect shows next to the key.' })
  keyId!: string;

  @Transform(({ value }: TransformFnParams) => (typeof value === 'string' ? normalizePem(value) : value))
  @Matches(PEM, {
    message:
      'must be the whole .p8 file: a PKCS#8 private key in PEM form, from -----BEGIN PRIVATE KEY----- to its END line.',
  })
  privateKey!: string;
}

const KEY_ID: CredentialField = {
  name: 'keyId',
  title: 'Key id',
  isSecret: false,
  isRequired: true,
  how: 'The key id in the list of keys in App Store Connect, under Users and Access, Integrations, App Store Connect API.',
};

const PRIVATE_KEY: CredentialField = {
  name: 'privateKey',
  title: 'Private key',
  isSecret: true,
  isRequired: true,
  how: 'The content of the AuthKey_….p8 file, which you can download only once, when you create the key. The key needs the role App Manager.',
  file: { name: 'AuthKey_{keyId}.p8', member: null },
};

/** Places in which to find each field (src/stores/README.md#safari-authentication). */
export const FORMS: readonly (readonly CredentialField[])[] = [
  [
    {
      name: 'issuerId',
      title: 'Issuer id',
      isSecret: false,
      isRequired: true,
      how: 'The issuer id above the list in App Store Connect, under Users and Access, Integrations, App Store Connect API, Team Keys.',
    },
    KEY_ID,
    PRIVATE_KEY,
  ],
  [KEY_ID, PRIVATE_KEY],
];

/** The credential in the form that signing needs. */
export interface SafariKey {
  /** `null` for an individual key. */
  readonly issuerId: string | null;
  readonly keyId: string;
  /** With real line breaks. */
  readonly privateKey: string;
}

/** Reads validated credentials: an instance of the DTO, or plain JSON from the database. */
export function keyOf({ issuerId, keyId, privateKey }: SafariCredentials): SafariKey {
  return { issuerId: issuerId ?? null, keyId, privateKey: normalizePem(privateKey) };
}

/** The secret whose last four characters may be shown: the key's base64 body. */
export function secretOf(credentials: SafariCredentials): string {
  return pemBody(keyOf(credentials).privateKey);
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}
