import { ApiProperty } from '@nestjs/swagger';

/** A version of a client, as npm packs it. */
class ClientPackage {
  @ApiProperty({ description: 'Name of the package.', example: '@pierhead/licensing' })
  name!: string;

  @ApiProperty({
    description:
      'Version, with the beginning of its digest (`1.0.0+3fa9c1d2e4b5`) where this version was packed before with other content.',
    example: '1.0.0',
  })
  version!: string;

  @ApiProperty({
    format: 'uri',
    description: 'Address for `npm install`. Its content never changes.',
    example: 'https://pierhead.example/clients/pierhead-licensing-1.0.0.tgz',
  })
  url!: string;

  @ApiProperty({ type: 'integer', description: 'Size in bytes.', example: 14_210 })
  size!: number;

  @ApiProperty({
    description: 'Digest of the content, in the form of a lock file and of Subresource Integrity.',
    example: `sha512-${'A'.repeat(86)}==`,
  })
  integrity!: string;

  @ApiProperty({ description: 'Whether it belongs to the version of the service that answers.', example: true })
  isCurrent!: boolean;
}

/** The command line, the client for extensions and the action, each with the newest version first. */
export class ClientPackageList {
  @ApiProperty({ type: [ClientPackage], description: 'The kept versions of each client.' })
  items!: readonly ClientPackage[];
}
