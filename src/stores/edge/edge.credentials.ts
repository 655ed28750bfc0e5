import { TextField } from '../../common/fields/index.js';

/** An API key of Partner Center ("Publish API"). */
export class EdgeCredentials {
  @TextField({ description: 'Client id.', max: 200 })
  clientId!: string;

  @TextField({ description: 'API key; Partner Center lets it lapse after 72 days.', min: 8, max: 1000 })
  apiKey!: string;
}
