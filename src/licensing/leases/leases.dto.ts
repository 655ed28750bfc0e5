import { ApiProperty } from '@nestjs/swagger';
import { LEASE_KEY_STATES, type LeaseKeyState } from './lease-key.entity.js';

/** A public key as JWK (RFC 8037). */
class LeaseKey {
  @ApiProperty({ enum: ['OKP'] })
  kty!: 'OKP';

  @ApiProperty({ enum: ['Ed25519'] })
  crv!: 'Ed25519';

  @ApiProperty()
  x!: string;

  @ApiProperty({ format: 'uuid' })
  kid!: string;

  @ApiProperty({ enum: ['EdDSA'] })
  alg!: 'EdDSA';

  @ApiProperty({ enum: ['sig'] })
  use!: 'sig';

  @ApiProperty({
    enum: LEASE_KEY_STATES,
    description: 'current signs now, next signs after the next rotation, previous signed until the last one.',
  })
  state!: LeaseKeyState;
}

/** A JWK set. An extension pins `current` and `next`, and so outlives a rotation. */
export class LeaseKeySet {
  @ApiProperty({ type: [LeaseKey] })
  keys!: LeaseKey[];
}
