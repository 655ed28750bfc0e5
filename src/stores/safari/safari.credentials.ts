import { Transform, type TransformFnParams } from 'class-transformer';
import { Matches, ValidateIf } from 'class-validator';
import type { CredentialField } from '../store.js';

const PEM = /^-----BEGIN PRIVATE KEY-----\s[A-Za-z0-9+/=\s]{40,4000}-----END PRIVATE KEY-----$/;

/**
 * An App Store Connect API key: of a team, or without `issuerId` of one person (docs/stores.md#safari-authentication).
 */
export class SafariCredentials {
  @ValidateIf(({ issuerId }: SafariCredentials) => !isAbsent(issuerId))
  @Transform(({ value }: TransformFnParams) => trimmed(value))
  @Matches(/^[A-Za-z0-9-]{1,100}$/, {
    message:
      'must be the issuer id that App Store Connect shows above its team keys; leave it out for an individual key.',
  })
  issuerId?: string | null;

  @Transform(({ value }: TransformFnParams) => trimmed(value))
  @Matches(/^[A-Za-z0-9]{1,40}$/, { message: 'must be the key id that App Store Connect shows beside the key.' })
  keyId!: string;

  @Transform(({ value }: TransformFnParams) => (typeof value === 'string' ? pemOf(value) : value))
  @Matches(PEM, {
    message:
      'must be the whole .p8 file: a PKCS#8 private key in PEM form, from -----BEGIN PRIVATE KEY----- to its END line.',
  })
  privateKey!: string;
}

const KEY_ID: CredentialField = {
  name: 'keyId',
  isSecret: false,
  isRequired: true,
  how: 'App Store Connect, Users and Access, Integrations, App Store Connect API: the key id in the list of keys.',
};

const PRIVATE_KEY: CredentialField = {
  name: 'privateKey',
  isSecret: true,
  isRequired: true,
  how: 'The AuthKey_….p8 file, which App Store Connect lets you download once, when the key is made. The key needs the role App Manager.',
};

/** How to come by each field (docs/stores.md#safari-authentication). */
export const FORMS: readonly (readonly CredentialField[])[] = [
  [
    {
      name: 'issuerId',
      isSecret: false,
      isRequired: true,
      how: 'App Store Connect, Users and Access, Integrations, App Store Connect API, Team Keys: the issuer id above the list.',
    },
    KEY_ID,
    PRIVATE_KEY,
  ],
  [KEY_ID, PRIVATE_KEY],
];

/** The credential as its tokens need it. */
export interface SafariKey {
  /** `null` for an individual key. */
  readonly issuerId: string | null;
  readonly keyId: string;
  /** With real line breaks. */
  readonly privateKey: string;
}

/** Reads validated credentials, whether instances of the DTO or plain JSON that was sealed. */
export function keyOf({ issuerId, keyId, privateKey }: SafariCredentials): SafariKey {
  return { issuerId: isAbsent(issuerId) ? null : issuerId, keyId, privateKey: pemOf(privateKey) };
}

/** The secret whose last four characters may be shown: the key's base64 body. */
export function secretOf(credentials: SafariCredentials): string {
  return keyOf(credentials).privateKey.replace(/-----[^-]+-----|\s/g, '');
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

/** A PEM with real line breaks: an environment variable or a JSON file often holds them as the two characters `\n`. */
function pemOf(text: string): string {
  return text
    .replace(/\\r|\r/g, '')
    .replaceAll('\\n', '\n')
    .trim();
}
