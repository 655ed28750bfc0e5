import { TextField } from '../../common/fields/index.js';

/** An API key of addons.mozilla.org ("Manage API Keys"). */
export class FirefoxCredentials {
  @TextField({ description: 'JWT issuer, such as user:12345:67.', max: 200 })
  issuer!: string;

  @TextField({ description: 'JWT secret.', min: 8, max: 500 })
  secret!: string;
}
