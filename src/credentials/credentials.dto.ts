import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, OpenObjectField, TextField, TimeField } from '../common/fields/index.js';
import { ISSUER_IDS, type IssuerId } from './issuers.js';

const LABEL_MAX = 100;
const SHAPES =
  'The secrets, by store. chrome: `{ publisherId, serviceAccount: { client_email, private_key } }` or `{ publisherId, clientId, ' +
  'clientSecret, refreshToken }`; firefox: `{ issuer, secret }`; edge: `{ clientId, apiKey }`; safari: `{ issuerId?, keyId, privateKey }`; stripe, paddle, lemonsqueezy, polar: ' +
  '`{ webhookSecret, apiKey?, testMode? }`.';

export class CreateCredential {
  @ChoiceField({ description: 'Whose secrets these are.', of: ISSUER_IDS })
  store!: IssuerId;

  @TextField({ description: 'A name for people.', max: LABEL_MAX, optional: true, nullable: true })
  label?: string | null;

  @TimeField({ description: 'When they lapse; for edge 72 days from now when absent.', optional: true, nullable: true })
  expiresAt?: string | null;

  @OpenObjectField({ description: SHAPES })
  credentials!: Record<string, unknown>;
}

export class UpdateCredential {
  @TextField({ description: 'A name for people; null clears it.', max: LABEL_MAX, optional: true, nullable: true })
  label?: string | null;

  @TimeField({ description: 'When they lapse; null clears it.', optional: true, nullable: true })
  expiresAt?: string | null;

  @OpenObjectField({ description: `New secrets, verified like the first. ${SHAPES}`, optional: true })
  credentials?: Record<string, unknown>;
}

/** A credential as it is shown: never a secret, only the last four characters of one. */
export class Credential {
  @ApiProperty({ format: 'uuid', description: 'Stays the same when the secrets are rotated.' })
  id!: string;

  @ApiProperty({ enum: ISSUER_IDS })
  store!: IssuerId;

  @ApiProperty({ type: String, nullable: true })
  label!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expiresAt!: Date | null;

  @ApiProperty({ description: 'Last four characters of the secret.' })
  lastFour!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When the store last accepted them on saving.' })
  verifiedAt!: Date;

  @ApiProperty({
    description:
      'Who the store says this is: an e-mail, a client id, a user name or a key id; `webhook secret` where a payment processor was not asked.',
  })
  identity!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updatedAt!: Date;
}
