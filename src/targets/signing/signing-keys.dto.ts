import { ApiProperty } from '@nestjs/swagger';
import { TextField } from '../../common/fields/index.js';

const PUBLIC_KEY = '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqh…\n-----END PUBLIC KEY-----\n';

/** A key for the packages of a target. */
export class KeepSigningKey {
  @TextField({
    description:
      'An RSA private key of at least 2,048 bits in PEM, without a passphrase. A new one is made when absent.',
    max: 20_000,
    optional: true,
  })
  privateKey?: string;
}

/** The key that signs the packages of a target. Nobody can read its private part. */
export class SigningKeyView {
  @ApiProperty({ format: 'uuid', description: 'Id of the target.' })
  targetId!: string;

  @ApiProperty({
    description: 'Its public part in PEM. Paste it in the Developer Dashboard, on the tab Package of the item.',
    example: PUBLIC_KEY,
  })
  publicKey!: string;

  @ApiProperty({ description: 'When it was added.' })
  createdAt!: Date;
}
