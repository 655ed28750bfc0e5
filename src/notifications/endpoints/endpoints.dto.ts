import { ApiProperty } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  ChoicesField,
  EmailField,
  IdsField,
  NULLABLE_IDS,
  NULLABLE_TEXT,
  NULLABLE_TEXTS,
  NULLABLE_TIME,
  TextField,
  TextsField,
} from '../../common/fields/index.js';
import { DELIVERED_KINDS, NOTIFICATION_KINDS, type DeliveredKind, type NotificationKind } from '../kinds.js';
import { type DisabledBecause, ENDPOINT_KINDS, type EndpointKind } from '../endpoint.entity.js';

const MAX_URL = 2048;
const MAX_IDS = 100;
const NEEDS_LICENSES = 'Those that begin with license. name buyers, so they require licenses:read, too.';
const FILTERS = {
  extensionIds:
    'The only extensions that it is notified of; null for all. What is about no extension is sent in any case.',
  planIds: 'The only plans whose license events it receives; null for all.',
  tiers: 'The only tiers whose license events it receives; null for all.',
} as const;
const URL_RULES =
  'https only, unless the service itself is reachable only on its own machine. Redirects are not followed.';

/** An endpoint to create: a webhook with a URL, or mail with an address. */
export class CreateNotificationEndpoint {
  @ChoiceField({ description: 'How notifications are sent.', of: ENDPOINT_KINDS })
  kind!: EndpointKind;

  @TextField({ description: `URL of a webhook: ${URL_RULES}`, max: MAX_URL, optional: true })
  url?: string;

  @EmailField({
    description:
      'E-mail address. It first receives a confirmation link, and nothing else until its owner has confirmed it.',
    optional: true,
  })
  address?: string;

  @ChoicesField({
    description: `Events to subscribe to; all but those of licenses when absent. ${NEEDS_LICENSES}`,
    of: NOTIFICATION_KINDS,
    optional: true,
  })
  events?: NotificationKind[];

  @IdsField({ description: FILTERS.extensionIds, maxEntries: MAX_IDS, optional: true, nullable: true })
  extensionIds?: string[] | null;

  @IdsField({ description: FILTERS.planIds, maxEntries: MAX_IDS, optional: true, nullable: true })
  planIds?: string[] | null;

  @TextsField({ description: FILTERS.tiers, example: ['pro'], maxEntries: MAX_IDS, optional: true, nullable: true })
  tiers?: string[] | null;

  @BooleanField({ description: 'Whether the endpoint receives notifications; true when absent.', optional: true })
  enabled?: boolean;
}

/** Changes of an endpoint; absent fields stay as they are. */
export class UpdateNotificationEndpoint {
  @TextField({ description: `New URL of a webhook: ${URL_RULES}`, max: MAX_URL, optional: true })
  url?: string;

  @EmailField({
    description:
      'New e-mail address, which must be confirmed. The same address receives another link if it is not confirmed yet.',
    optional: true,
  })
  address?: string;

  @ChoicesField({
    description: `Events to subscribe to. ${NEEDS_LICENSES}`,
    of: NOTIFICATION_KINDS,
    optional: true,
  })
  events?: NotificationKind[];

  @IdsField({ description: FILTERS.extensionIds, maxEntries: MAX_IDS, optional: true, nullable: true })
  extensionIds?: string[] | null;

  @IdsField({ description: FILTERS.planIds, maxEntries: MAX_IDS, optional: true, nullable: true })
  planIds?: string[] | null;

  @TextsField({ description: FILTERS.tiers, example: ['pro'], maxEntries: MAX_IDS, optional: true, nullable: true })
  tiers?: string[] | null;

  @BooleanField({
    description: 'Whether the endpoint receives notifications. Disabling it also gives up its pending deliveries.',
    optional: true,
  })
  enabled?: boolean;
}

/** Which test to send. */
export class TestNotificationEndpoint {
  @ChoiceField({
    description:
      'The kind whose example to send: what such a notification has, about things that do not exist, with `data.example`. Default: `test`.',
    of: DELIVERED_KINDS,
    optional: true,
  })
  kind?: DeliveredKind;
}

/** Deliveries to an endpoint within seven days. */
export class EndpointWeek {
  @ApiProperty({ type: 'integer', description: 'Deliveries that were tried: at most the last 500.' })
  tried!: number;

  @ApiProperty({ type: 'integer', description: 'Those of them that arrived.' })
  arrived!: number;
}

/** Whether what is sent to an endpoint arrives. */
export class EndpointHealth {
  @ApiProperty({ enum: ['ok', 'failing'], description: 'failing: the last delivery that was tried has not arrived.' })
  state!: 'ok' | 'failing';

  @ApiProperty({ type: 'integer', description: 'Those of the last deliveries that have not arrived.' })
  failed!: number;

  @ApiProperty({ type: 'integer', description: 'The last deliveries that were tried: at most 20.' })
  of!: number;

  @ApiProperty({ description: 'The deliveries of the last seven days.' })
  lastWeek!: EndpointWeek;
}

/** An endpoint without its secret. */
export class NotificationEndpoint {
  @ApiProperty({ format: 'uuid', description: 'Id of the endpoint.' })
  id!: string;

  @ApiProperty({ enum: ENDPOINT_KINDS, description: 'How notifications are sent.' })
  kind!: EndpointKind;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'URL of a webhook, of which callers without extensions:write see the host only; null for mail.',
    example: 'https://hooks.example.com/pierhead',
  })
  url!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'E-mail address; null for a webhook.' })
  address!: string | null;

  @ApiProperty({
    ...NULLABLE_TIME,
    description:
      'When the owner of the address confirmed it; it receives no notifications before that. Null for a webhook.',
  })
  confirmedAt!: Date | null;

  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'Until when the pending confirmation link works; null when there is none.',
  })
  confirmationExpiresAt!: Date | null;

  @ApiProperty({ enum: NOTIFICATION_KINDS, isArray: true, description: 'The events it receives.' })
  events!: NotificationKind[];

  @ApiProperty({ ...NULLABLE_IDS, description: FILTERS.extensionIds })
  extensionIds!: string[] | null;

  @ApiProperty({ ...NULLABLE_IDS, description: FILTERS.planIds })
  planIds!: string[] | null;

  @ApiProperty({ ...NULLABLE_TEXTS, description: FILTERS.tiers, example: ['pro'] })
  tiers!: string[] | null;

  @ApiProperty({ description: 'Whether it receives notifications.' })
  enabled!: boolean;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      'Why the endpoint was disabled, where its team did not do it: `gone` when the receiver answered 410, `unsubscribed` when the owner of the address stopped the mails.',
  })
  disabledBecause!: DisabledBecause | null;

  @ApiProperty({ description: 'Whether what is sent to it arrives.' })
  health!: EndpointHealth;

  @ApiProperty({ ...NULLABLE_TIME, description: 'Until when the secret from before the last rotation also signs.' })
  formerSecretUntil!: Date | null;

  @ApiProperty({ description: 'When it was created.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed.' })
  updatedAt!: Date;
}

/** An endpoint with its secret, which is shown only once. */
export class NotificationEndpointWithSecret extends NotificationEndpoint {
  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      'The secret that signs the webhook (Standard Webhooks, `whsec_…`); null for mail. It is not shown again.',
    example: 'whsec_C2FVsBQIhrscChlQIMV-b5sSYspob7oD',
  })
  secret!: string | null;
}
