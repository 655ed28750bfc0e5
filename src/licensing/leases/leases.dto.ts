import { ApiProperty } from '@nestjs/swagger';
import { LEASE_KEY_STATES, type LeaseKeyState } from './lease-key.entity.js';

/** A public Ed25519 key as a JWK (RFC 8037). */
class LeaseKey {
  @ApiProperty({ enum: ['OKP'], description: 'Key type.' })
  kty!: 'OKP';

  @ApiProperty({ enum: ['Ed25519'], description: 'Curve.' })
  crv!: 'Ed25519';

  @ApiProperty({ description: 'The public key in base64url.', example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' })
  x!: string;

  @ApiProperty({ format: 'uuid', description: 'The key’s id, which the header of a lease names.' })
  kid!: string;

  @ApiProperty({ enum: ['EdDSA'], description: 'Signature algorithm.' })
  alg!: 'EdDSA';

  @ApiProperty({ enum: ['sig'], description: 'The key verifies signatures.' })
  use!: 'sig';

  @ApiProperty({
    enum: LEASE_KEY_STATES,
    description:
      '`current` signs now, `next` signs after the next rotation, `previous` signed before the last rotation.',
  })
  state!: LeaseKeyState;
}

/** A JWK set. An extension that pins `current` and `next` keeps working after a rotation. */
export class LeaseKeySet {
  @ApiProperty({ type: [LeaseKey], description: 'The keys, the current one first.' })
  keys!: LeaseKey[];
}
