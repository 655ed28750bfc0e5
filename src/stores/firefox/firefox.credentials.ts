import { TextField } from '../../common/fields/index.js';
import type { CredentialField } from '../store.js';

/** An API key of addons.mozilla.org ("Manage API Keys", src/stores/README.md#firefox-authentication). */
export class FirefoxCredentials {
  @TextField({ description: 'JWT issuer, such as user:12345:67.', max: 200 })
  issuer!: string;

  @TextField({ description: 'JWT secret.', min: 8, max: 500 })
  secret!: string;
}

/** Places in which to find each field. */
export const FORMS: readonly (readonly CredentialField[])[] = [
  [
    {
      name: 'issuer',
      title: 'JWT issuer',
      isSecret: false,
      isRequired: true,
      how: 'The JWT issuer at addons.mozilla.org, in the Developer Hub under Tools, Manage API Keys. The account must be an author of the add-on.',
    },
    {
      name: 'secret',
      title: 'JWT secret',
      isSecret: true,
      isRequired: true,
      how: 'The JWT secret on the same page. Creating new credentials there revokes the old ones.',
    },
  ],
];
