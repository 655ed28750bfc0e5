import { applyDecorators } from '@nestjs/common';
import { Matches } from 'class-validator';
import { BooleanField, TextField } from '../common/fields/index.js';

/** A tenant's secrets for one processor, whichever it is. */
export abstract class PaymentCredentials {
  /** Signs the processor's notifications. */
  abstract webhookSecret: string;
  /** Proves on saving that the account is the tenant's; never needed afterwards. */
  abstract apiKey?: string | null;
  /** Notifications of the processor's test mode are handled, not ignored. */
  abstract testMode?: boolean;
}

/** One field of a processor's credentials, for the person who has to fetch it. */
export interface PaymentCredentialField {
  readonly name: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** Where to get it, in words. */
  readonly how: string;
}

/** How a tenant's secrets for a processor look: the same shape as of a store. */
export interface PaymentCredentialShape {
  /** DTO class that validates them. */
  readonly type: new () => PaymentCredentials;
  /** The one secret whose last four characters may be shown. */
  secretOf(credentials: PaymentCredentials): string;
  readonly forms: readonly (readonly PaymentCredentialField[])[];
  /** Never lapses by itself. */
  readonly lapsesAfterDays: null;
}

const LONGEST_KEY = 400;

/** A webhook's secret, in the form in which the processor makes it. */
export const WebhookSecretField = (options: {
  readonly min: number;
  readonly max: number;
  readonly pattern: RegExp;
  readonly says: string;
}): PropertyDecorator =>
  applyDecorators(
    TextField({ description: 'Signs the notifications.', min: options.min, max: options.max }),
    Matches(options.pattern, { message: options.says }),
  );

/** An API key, which goes into a header. */
export const ApiKeyField = (): PropertyDecorator =>
  applyDecorators(
    TextField({ description: 'API key for one cheap read.', min: 8, max: LONGEST_KEY, optional: true, nullable: true }),
    Matches(/^[\x21-\x7e]*$/, { message: 'must be an API key: no blanks, no letters beyond ASCII.' }),
  );

/** Whether notifications of the test mode count. */
export const TestModeField = (): PropertyDecorator =>
  BooleanField({ description: 'Handle notifications of the test mode too.', optional: true });

/** The shape of a processor's credentials. @param how where to fetch secret and key, in words */
export function shapeOf(
  type: new () => PaymentCredentials,
  how: { readonly webhookSecret: string; readonly apiKey: string },
): PaymentCredentialShape {
  const fields: readonly PaymentCredentialField[] = [
    { name: 'webhookSecret', isSecret: true, isRequired: true, how: how.webhookSecret },
    { name: 'apiKey', isSecret: true, isRequired: false, how: how.apiKey },
    {
      name: 'testMode',
      isSecret: false,
      isRequired: false,
      how: 'true where the processor’s test mode is to be handled like real sales.',
    },
  ];
  return { type, secretOf: ({ webhookSecret }) => webhookSecret, forms: [fields], lapsesAfterDays: null };
}
