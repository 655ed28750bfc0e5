import { Transform, type TransformFnParams } from 'class-transformer';
import {
  Matches,
  Validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { TextField } from '../../common/fields/index.js';
import { asRecord } from '../../common/net/index.js';
import { normalizePem, pemBody } from '../pem.js';
import type { CredentialField } from '../store.js';

const PEM = /^-----BEGIN PRIVATE KEY-----\s[A-Za-z0-9+/=\s]{1,10000}-----END PRIVATE KEY-----$/;

/** The fields of a service account's key file that identify it (src/stores/README.md#chrome-credentials). */
export class ChromeServiceAccount {
  @Matches(/^[^\s@]{1,120}@[^\s@]{1,250}$/, { message: "must be the service account's e-mail address." })
  client_email!: string;

  @Matches(PEM, {
    message: 'must be a PKCS#8 private key in PEM form, from -----BEGIN PRIVATE KEY----- to its END line.',
  })
  private_key!: string;
}

/** Requires exactly one of the two forms, and an object as the service account. */
@ValidatorConstraint({ name: 'oneForm' })
class OneForm implements ValidatorConstraintInterface {
  validate(value: unknown, args?: ValidationArguments): boolean {
    return value instanceof ChromeServiceAccount && !usesRefreshToken(args?.object as ChromeCredentials);
  }

  defaultMessage(args?: ValidationArguments): string {
    const given = args?.object as ChromeCredentials;
    if (given.serviceAccount == null) return 'is required unless clientId, clientSecret and refreshToken are given.';
    if (usesRefreshToken(given)) return 'cannot be combined with clientId, clientSecret and refreshToken.';
    return 'must be an object with client_email and private_key, such as the content of the JSON key file.';
  }
}

/** A service account, or a person's refresh token (src/stores/README.md#chrome-credentials). */
export class ChromeCredentials {
  @Matches(/^[A-Za-z0-9_-]{1,128}$/, {
    message: 'must be the one that the Developer Dashboard shows under Account.',
  })
  publisherId!: string;

  @ValidateIf((given: ChromeCredentials) => given.serviceAccount != null || !usesRefreshToken(given))
  @Transform(({ value }: TransformFnParams) => keyFile(value))
  @Validate(OneForm)
  @ValidateNested()
  serviceAccount?: ChromeServiceAccount | null;

  @ValidateIf(usesOnlyRefreshToken)
  @TextField({ description: 'OAuth client id.', max: 300 })
  clientId?: string | null;

  @ValidateIf(usesOnlyRefreshToken)
  @TextField({ description: 'OAuth client secret.', max: 300 })
  clientSecret?: string | null;

  @ValidateIf(usesOnlyRefreshToken)
  @TextField({ description: 'Refresh token of the person who publishes.', max: 2000 })
  refreshToken?: string | null;
}

const PUBLISHER_ID: CredentialField = {
  name: 'publisherId',
  title: 'Publisher id',
  isSecret: false,
  isRequired: true,
  isKept: true,
  how: 'The publisher id in the Chrome Developer Dashboard, under Account.',
};

/** The key file of a service account, as Google names it: project, dash, key id. */
const KEY_FILE = '*.json';

/** Places in which to find each field (src/stores/README.md#chrome-credentials). */
export const FORMS: readonly (readonly CredentialField[])[] = [
  [
    PUBLISHER_ID,
    {
      name: 'serviceAccount.client_email',
      title: 'Service account',
      isSecret: false,
      isRequired: true,
      how: 'Create a service account in the Google Cloud console under IAM, Service accounts. Then add its e-mail address in the Developer Dashboard under Account.',
      file: { name: KEY_FILE, member: 'client_email' },
    },
    {
      name: 'serviceAccount.private_key',
      title: 'Private key',
      isSecret: true,
      isRequired: true,
      how: 'Create a JSON key for the service account under Keys, Add key; the file contains it. Enable the Chrome Web Store API in the same project.',
      file: { name: KEY_FILE, member: 'private_key' },
    },
  ],
  [
    PUBLISHER_ID,
    {
      name: 'clientId',
      title: 'OAuth client id',
      isSecret: false,
      isRequired: true,
      how: 'Create an OAuth client in the Google Cloud console under APIs and services, Credentials.',
    },
    {
      name: 'clientSecret',
      title: 'OAuth client secret',
      isSecret: true,
      isRequired: true,
      how: 'Shown with the OAuth client.',
    },
    {
      name: 'refreshToken',
      title: 'Refresh token',
      isSecret: true,
      isRequired: true,
      how: 'Grant consent once as the person who publishes, with the scope https://www.googleapis.com/auth/chromewebstore and access_type=offline.',
    },
  ],
];

/** The credential in the form that it has. */
export type ChromeKey =
  | { readonly form: 'service_account'; readonly email: string; readonly privateKey: string }
  | {
      readonly form: 'refresh_token';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly refreshToken: string;
    };

/** Reads validated credentials: an instance of the DTO, or plain JSON from the database. */
export function keyOf({ serviceAccount, clientId, clientSecret, refreshToken }: ChromeCredentials): ChromeKey {
  if (serviceAccount != null) {
    const { client_email, private_key } = serviceAccount;
    return { form: 'service_account', email: client_email, privateKey: normalizePem(private_key) };
  }
  return {
    form: 'refresh_token',
    clientId: clientId ?? '',
    clientSecret: clientSecret ?? '',
    refreshToken: refreshToken ?? '',
  };
}

/** The secret whose last four characters may be shown: the key's base64 body, or the refresh token. */
export function secretOf(credentials: ChromeCredentials): string {
  const key = keyOf(credentials);
  return key.form === 'service_account' ? pemBody(key.privateKey) : key.refreshToken;
}

/** The service account's e-mail address, or the OAuth client's id. */
export function identityOf(credentials: ChromeCredentials): string {
  const key = keyOf(credentials);
  return key.form === 'service_account' ? key.email : key.clientId;
}

function usesRefreshToken({ clientId, clientSecret, refreshToken }: ChromeCredentials): boolean {
  return [clientId, clientSecret, refreshToken].some((one) => one != null);
}

function usesOnlyRefreshToken(given: ChromeCredentials): boolean {
  return given.serviceAccount == null && usesRefreshToken(given);
}

/** Keeps two fields of a whole key file; its other fields would be refused as unknown. */
function keyFile(value: unknown): unknown {
  const file = asRecord(value);
  if (file === undefined) return value;
  const { client_email, private_key } = file;
  return Object.assign(new ChromeServiceAccount(), {
    client_email: typeof client_email === 'string' ? client_email.trim() : client_email,
    private_key: typeof private_key === 'string' ? normalizePem(private_key) : private_key,
  });
}
