import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE, TextField } from '../../common/fields/index.js';
import { IgnoresUnknownFields } from '../../common/http/index.js';
import { MAX_FINGERPRINT } from '../licenses/index.js';
import { MAX_CLAIM_TOKEN, CLAIM_TOKEN_MIN } from './claim-token.js';

/** A code to claim. */
@IgnoresUnknownFields()
export class Claim {
  @TextField({ description: 'The id of the extension that was bought.', max: 64, example: EXAMPLE.id })
  extensionId!: string;

  @TextField({
    description:
      'The random text that the seller’s page set as `claimToken` in the metadata or custom data of the checkout, or the token that this service made.',
    min: CLAIM_TOKEN_MIN,
    max: MAX_CLAIM_TOKEN,
    verbatim: true,
    example: 'f3b1c7a09d2e4855b6c0',
  })
  claimToken!: string;

  @TextField({
    description:
      'The device, for a token of `GET /licensing/checkout` or `POST /licensing/restore`, which works on it alone.',
    max: MAX_FINGERPRINT,
    verbatim: true,
    optional: true,
    example: 'b7f0c3a19d2e',
  })
  fingerprint?: string;
}

/** A claimed code. The shape is frozen: fields are added, never renamed or removed. */
export class ClaimedCode {
  @ApiProperty({
    description: 'The full code. The seller’s page cannot claim it again.',
    example: '000G4-0R40M-30E20-9185G-R38E1',
  })
  code!: string;
}
