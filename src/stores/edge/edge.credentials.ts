import { Matches } from 'class-validator';
import { TextField } from '../../common/fields/index.js';
import type { CredentialField } from '../store.js';

/** The characters that an HTTP header can carry. */
const HEADER_TEXT = /^[\x21-\x7e]*$/;

/** Days after which an API key expires. No API reports the date (src/stores/README.md#edge-authentication). */
export const KEY_LAPSES_AFTER_DAYS = 72;

/** An API key of Partner Center ("Publish API", src/stores/README.md#edge-authentication). */
export class EdgeCredentials {
  @TextField({ description: 'Client id.', max: 200 })
  @Matches(HEADER_TEXT, { message: 'must be the client id that Partner Center shows, without spaces.' })
  clientId!: string;

  @TextField({ description: `API key. It expires after ${KEY_LAPSES_AFTER_DAYS} days.`, min: 8, max: 1000 })
  @Matches(HEADER_TEXT, { message: 'must be the API key that Partner Center shows, without spaces.' })
  apiKey!: string;
}

/** Places in which to find each field. */
export const FORMS: readonly (readonly CredentialField[])[] = [
  [
    {
      name: 'clientId',
      title: 'Client id',
      isSecret: false,
      isRequired: true,
      isKept: true,
      how: 'Enable the Publish API in Partner Center under Microsoft Edge, Publish API. The page then shows the client id.',
    },
    {
      name: 'apiKey',
      title: 'API key',
      isSecret: true,
      isRequired: true,
      how: `Create an API key on the same page. It is shown once and expires after ${KEY_LAPSES_AFTER_DAYS} days. One key serves all extensions of the account.`,
    },
  ],
];
