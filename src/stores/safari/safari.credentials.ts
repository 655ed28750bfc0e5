import { TextField } from '../../common/fields/index.js';

/** An App Store Connect API key; without `issuerId` it is an individual key. */
export class SafariCredentials {
  @TextField({ description: 'Issuer id of a team key; absent for an individual key.', max: 100, optional: true })
  issuerId?: string;

  @TextField({ description: 'Key id.', max: 40 })
  keyId!: string;

  @TextField({
    description: 'The .p8 file: a PKCS#8 PEM; literal \\n is accepted for its line breaks.',
    min: 40,
    max: 4000,
  })
  privateKey!: string;
}
