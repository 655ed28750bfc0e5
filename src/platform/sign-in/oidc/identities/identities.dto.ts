import { ApiProperty } from '@nestjs/swagger';

/** An identity provider account that signs in as the user. */
export class LinkedIdentity {
  @ApiProperty({ format: 'uuid', description: 'Id of the link.' })
  id!: string;

  @ApiProperty({ format: 'uri', description: 'Issuer of the provider.', example: 'https://login.example.com' })
  issuer!: string;

  @ApiProperty({ description: "The provider's name for the person, which never changes.", example: '248289761001' })
  subject!: string;

  @ApiProperty({ description: 'Whether users sign in through this provider now. False for a former one.' })
  active!: boolean;

  @ApiProperty({ description: 'When the account was linked.' })
  createdAt!: Date;
}
