import { Matches } from 'class-validator';
import { TextField } from '../../common/fields/index.js';
import type { CredentialField } from '../store.js';

/** What an HTTP header can carry; anything else could not be sent at all. */
const HEADER_TEXT = /^[\x21-\x7e]*$/;

/** An API key of Partner Center ("Publish API", docs/stores.md#edge-authentication). */
export class EdgeCredentials {
  @TextField({ description: 'Client id.', max: 200 })
  @Matches(HEADER_TEXT, { message: 'must be the client id that Partner Center shows, without blanks.' })
  clientId!: string;

  @TextField({ description: 'API key; Partner Center lets it lapse after 72 days.', min: 8, max: 1000 })
  @Matches(HEADER_TEXT, { message: 'must be the API key that Partner Center shows, without blanks.' })
  apiKey!: string;
}

/**
 * Days after which Partner Center lets an API key lapse; no API tells the date (docs/stores.md#edge-authentication).
 */
export const KEY_LAPSES_AFTER_DAYS = 72;

/** How to come by each field. */
export const FORMS: readonly (readonly CredentialField[])[] = [
  [
    {
      name: 'clientId',
      isSecret: false,
      isRequired: true,
      how: 'Partner Center, Microsoft Edge, Publish API: enable it, and the page shows the client id.',
    },
    {
      name: 'apiKey',
      isSecret: true,
      isRequired: true,
      how: `The same page, Create API key: it is shown once and lapses after ${KEY_LAPSES_AFTER_DAYS} days. One key serves all extensions of the account.`,
    },
  ],
];
