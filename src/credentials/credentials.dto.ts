import { ApiProperty } from '@nestjs/swagger';
import {
  ChoiceField,
  EXAMPLE,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  OpenObjectField,
  NameField,
  TextField,
  TimeField,
} from '../common/fields/index.js';
import { CREDENTIAL_STATES, type CredentialHealthState } from './credential-health.js';
import { PROVIDER_IDS, type ProviderId } from './credential-providers.js';

const LABEL = { max: 100, optional: true, nullable: true, example: 'Publisher account' } as const;
const SHAPES = {
  description:
    'The fields of one of the forms that `GET /stores` and `GET /webhooks/processors` list; `serviceAccount.private_key` is the member of an object.',
  example: {
    publisherId: EXAMPLE.id,
    clientId: '1234-example.apps.googleusercontent.com',
    clientSecret: 'GOCSPX-exampleexampleexample',
    refreshToken: '1//0exampleexampleexample',
  },
};

/** New credentials of a store or payment processor. */
export class CreateCredential {
  @ChoiceField({ description: 'The store or payment processor.', of: PROVIDER_IDS })
  store!: ProviderId;

  @NameField({ description: 'Name of the credential.', ...LABEL })
  label?: string | null;

  @TimeField({
    description:
      'When the credentials expire. Default: after the days that the store’s form names in `lapsesAfterDays`, if any.',
    optional: true,
    nullable: true,
  })
  expiresAt?: string | null;

  @OpenObjectField(SHAPES)
  credentials!: Record<string, unknown>;

  @TextField({
    description:
      'An item of the account at the store. The Chrome Web Store proves only by one that the key is the publisher’s; without one `health.state` is `unproven` until a target’s item does.',
    max: 200,
    example: 'mbfmhplclkbnbppnbjccnfhpgipnabcd',
    optional: true,
  })
  storeItemId?: string;
}

/** Changes to a credential; absent fields stay. */
export class UpdateCredential {
  @ChoiceField({
    description: 'The store or payment processor, which stays: another one is refused.',
    of: PROVIDER_IDS,
    optional: true,
  })
  store?: ProviderId;

  @NameField({ description: 'Name of the credential; null clears it.', ...LABEL })
  label?: string | null;

  @TimeField({ description: 'When the credentials expire; null clears it.', optional: true, nullable: true })
  expiresAt?: string | null;

  @OpenObjectField({
    ...SHAPES,
    description: `New secrets, verified before they are saved, also by the items of the targets that use them. Fields with \`isKept\` may be left out. ${SHAPES.description}`,
    optional: true,
  })
  credentials?: Record<string, unknown>;
}

/** Whether a credential works. */
class CredentialHealth implements CredentialHealthState {
  @ApiProperty({
    enum: CREDENTIAL_STATES,
    description:
      'refused: the store refuses it; expires_soon: it expires within 14 days; unproven: the key works, but no item has shown yet that it is the publisher’s (Chrome Web Store).',
  })
  state!: CredentialHealthState['state'];

  @ApiProperty({
    description:
      'When the store refused it first, when it expires or expired, or, for `ok` and `unproven`, when the store accepted it.',
  })
  at!: Date;
}

/** A credential, without its secrets. */
export class Credential {
  @ApiProperty({ format: 'uuid', description: 'Id of the credential. It stays the same when the secrets are rotated.' })
  id!: string;

  @ApiProperty({ enum: PROVIDER_IDS, description: 'The store or payment processor.' })
  store!: ProviderId;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Your name for it.', example: 'Publisher account' })
  label!: string | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When it expires; null when that is not known.' })
  expiresAt!: Date | null;

  @ApiProperty({ description: 'Last four characters of the secret.', example: 'aRZU' })
  lastFour!: string;

  @ApiProperty({ description: 'When the store last accepted the credentials.' })
  verifiedAt!: Date;

  @ApiProperty({ description: 'Whether it works, as far as that is known.' })
  health!: CredentialHealth;

  @ApiProperty({
    description:
      'The account at the store: an e-mail address, a client id, a user name or a key id. `webhook secret` when a payment processor could not be asked.',
    example: 'publisher@pierhead-example.iam.gserviceaccount.com',
  })
  identity!: string;

  @ApiProperty({ description: 'When it was created.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed.' })
  updatedAt!: Date;
}
