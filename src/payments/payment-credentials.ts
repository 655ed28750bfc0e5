import { applyDecorators } from '@nestjs/common';
import { Matches } from 'class-validator';
import { BooleanField, TextField, type CredentialField, type CredentialShape } from '../common/fields/index.js';

const MAX_CHARACTERS = 400;

/** A tenant's credentials for a payment processor. Each processor's class adds the rules of its secret. */
export abstract class PaymentCredentials {
  /** Signs the processor's notifications. */
  abstract webhookSecret: string;

  /** Proves on saving that the account is the tenant's; not needed afterwards. */
  @TextField({
    description: 'API key, used once for a cheap read.',
    min: 8,
    max: MAX_CHARACTERS,
    optional: true,
    nullable: true,
  })
  @Matches(/^[\x21-\x7e]*$/, { message: 'must be an API key: ASCII characters without spaces.' })
  apiKey?: string | null;

  /** Handles notifications of the processor's test mode, instead of ignoring them. */
  @BooleanField({ description: 'Also handle notifications from test mode.', optional: true })
  testMode?: boolean;

  /** Issues licenses for subscriptions that began before the processor was connected, instead of asking the tenant. */
  @BooleanField({
    description:
      'Also issue licenses for subscriptions that began before the processor was connected, at their next payment.',
    optional: true,
  })
  issueEarlier?: boolean;
}

/** A webhook's secret, in the form that the processor gives it. */
export const WebhookSecretField = (options: {
  readonly min: number;
  readonly max: number;
  readonly pattern: RegExp;
  readonly message: string;
}): PropertyDecorator =>
  applyDecorators(
    TextField({ description: 'Signs the notifications.', min: options.min, max: options.max }),
    Matches(options.pattern, { message: options.message }),
  );

/** The shape of a processor's credentials. @param how where to find the secret and the key */
export function shapeOf(
  type: new () => PaymentCredentials,
  how: { readonly webhookSecret: string; readonly apiKey: string },
): CredentialShape<PaymentCredentials> {
  const fields: readonly CredentialField[] = [
    { name: 'webhookSecret', title: 'Webhook secret', isSecret: true, isRequired: true, how: how.webhookSecret },
    { name: 'apiKey', title: 'API key', isSecret: true, isRequired: false, how: how.apiKey },
    {
      name: 'testMode',
      title: 'Test mode',
      isSecret: false,
      isRequired: false,
      isSwitch: true,
      how: 'Handles sales in the processor’s test mode, too, and marks their licenses.',
    },
    {
      name: 'issueEarlier',
      title: 'Earlier subscriptions',
      isSecret: false,
      isRequired: false,
      isSwitch: true,
      how: 'Issues a license at the next payment of a subscription that began before the processor was connected here.',
    },
  ];
  return { type, secretOf: ({ webhookSecret }) => webhookSecret, forms: [fields], lapsesAfterDays: null };
}
