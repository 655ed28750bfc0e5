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
import type { CredentialField } from '../store.js';

const PEM = /^-----BEGIN PRIVATE KEY-----\s[A-Za-z0-9+/=\s]{1,10000}-----END PRIVATE KEY-----$/;

/** The two fields of a Google service account's key file that prove who it is (docs/stores.md#chrome-credentials). */
export class ChromeServiceAccount {
  @Matches(/^[^\s@]{1,120}@[^\s@]{1,250}$/, { message: "must be the service account's e-mail address." })
  client_email!: string;

  @Matches(PEM, {
    message: 'must be a PKCS#8 private key in PEM form, from -----BEGIN PRIVATE KEY----- to its END line.',
  })
  private_key!: string;
}

/** Refuses both forms at once, neither of them, and a service account that is no object. */
@ValidatorConstraint({ name: 'oneForm' })
class OneForm implements ValidatorConstraintInterface {
  validate(value: unknown, args?: ValidationArguments): boolean {
    return value instanceof ChromeServiceAccount && !usesRefreshToken(args?.object as ChromeCredentials);
  }

  defaultMessage(args?: ValidationArguments): string {
    const given = args?.object as ChromeCredentials;
    if (isAbsent(given.serviceAccount))
      return 'must be given, or clientId, clientSecret and refreshToken instead of it.';
    if (usesRefreshToken(given)) return 'must be given alone, without clientId, clientSecret and refreshToken.';
    return 'must be an object with client_email and private_key, such as the JSON key file that Google makes.';
  }
}

/**
 * What publishes to the Chrome Web Store: a service account, or a human's refresh token
 * (docs/stores.md#chrome-credentials).
 */
export class ChromeCredentials {
  @Matches(/^[A-Za-z0-9_-]{1,128}$/, {
    message: 'must be the publisher id that the Developer Dashboard shows under Account.',
  })
  publisherId!: string;

  @ValidateIf((given: ChromeCredentials) => !isAbsent(given.serviceAccount) || !usesRefreshToken(given))
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
  @TextField({ description: 'Refresh token of the human who publishes.', max: 2000 })
  refreshToken?: string | null;
}

const PUBLISHER_ID: CredentialField = {
  name: 'publisherId',
  isSecret: false,
  isRequired: true,
  how: 'Chrome Developer Dashboard, Account: the publisher id.',
};

/** How to come by each field (docs/stores.md#chrome-credentials). */
export const FORMS: readonly (readonly CredentialField[])[] = [
  [
    PUBLISHER_ID,
    {
      name: 'serviceAccount.client_email',
      isSecret: false,
      isRequired: true,
      how: 'Google Cloud console, IAM, Service accounts: make one, then add its e-mail address under Account in the Developer Dashboard.',
    },
    {
      name: 'serviceAccount.private_key',
      isSecret: true,
      isRequired: true,
      how: 'The same service account, Keys, Add key, JSON: the file has it. The Chrome Web Store API must be enabled in that project.',
    },
  ],
  [
    PUBLISHER_ID,
    {
      name: 'clientId',
      isSecret: false,
      isRequired: true,
      how: 'Google Cloud console, APIs and services, Credentials: an OAuth client.',
    },
    { name: 'clientSecret', isSecret: true, isRequired: true, how: 'The same OAuth client shows it.' },
    {
      name: 'refreshToken',
      isSecret: true,
      isRequired: true,
      how: 'Consent once as the human who publishes, with the scope https://www.googleapis.com/auth/chromewebstore and access_type=offline.',
    },
  ],
];

/** The credential in the one form it has; both faces of it are complete. */
export type ChromeKey =
  | { readonly form: 'service_account'; readonly email: string; readonly privateKey: string }
  | {
      readonly form: 'refresh_token';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly refreshToken: string;
    };

/** Reads validated credentials, whether instances of the DTO or plain JSON that was sealed. */
export function keyOf({ serviceAccount, clientId, clientSecret, refreshToken }: ChromeCredentials): ChromeKey {
  if (!isAbsent(serviceAccount)) {
    const { client_email, private_key } = serviceAccount;
    return { form: 'service_account', email: client_email, privateKey: pemOf(private_key) };
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
  return key.form === 'service_account' ? key.privateKey.replace(/-----[^-]+-----|\s/g, '') : key.refreshToken;
}

/** Whom the credential stands for: the service account's e-mail address, or the OAuth client's id. */
export function identityOf(credentials: ChromeCredentials): string {
  const key = keyOf(credentials);
  return key.form === 'service_account' ? key.email : key.clientId;
}

function usesRefreshToken({ clientId, clientSecret, refreshToken }: ChromeCredentials): boolean {
  return [clientId, clientSecret, refreshToken].some((one) => !isAbsent(one));
}

function usesOnlyRefreshToken(given: ChromeCredentials): boolean {
  return isAbsent(given.serviceAccount) && usesRefreshToken(given);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Takes the two fields out of a whole key file, whose other fields would be refused as unknown. */
function keyFile(value: unknown): unknown {
  const file = asRecord(value);
  if (file === undefined) return value;
  const { client_email, private_key } = file;
  return Object.assign(new ChromeServiceAccount(), {
    client_email: typeof client_email === 'string' ? client_email.trim() : client_email,
    private_key: typeof private_key === 'string' ? pemOf(private_key) : private_key,
  });
}

/** A PEM with real line breaks: an environment variable or a JSON file often holds them as the two characters `\n`. */
function pemOf(text: string): string {
  return text
    .replace(/\\r|\r/g, '')
    .replaceAll('\\n', '\n')
    .trim();
}
