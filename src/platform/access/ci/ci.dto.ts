import { ApiProperty } from '@nestjs/swagger';
import type { Scope } from '../../../common/access/index.js';
import { EXAMPLE, IdField, TextField } from '../../../common/fields/index.js';
import { NAMED_SCOPES } from '../ci-trust/index.js';

/** Tokens of GitHub and GitLab have about 2000 characters. */
const MAX_TOKEN = 8192;

/** A token of a CI service to exchange. */
export class ExchangeCiToken {
  @TextField({
    description: 'OpenID Connect token of the CI service, with PUBLIC_URL as its audience.',
    max: MAX_TOKEN,
    example: EXAMPLE.token,
  })
  token!: string;

  @IdField({ description: 'The tenant whose rules are used. Required unless `extension` is set.', optional: true })
  tenantId?: string;

  @IdField({
    description: 'Uses the oldest rule for this extension, of its tenant. Required unless `tenantId` is set.',
    optional: true,
  })
  extension?: string;
}

/** An access token for a run of a CI service. */
export class ExchangedCiToken {
  @ApiProperty({ description: 'Access token.', example: EXAMPLE.token })
  token!: string;

  @ApiProperty({ description: 'When it expires: 15 minutes from now.' })
  expiresAt!: Date;

  @ApiProperty({ format: 'uuid', description: 'The tenant that the token is for.' })
  tenantId!: string;

  @ApiProperty({ description: 'Name of the trust rule.', example: 'Releases' })
  rule!: string;

  @ApiProperty({ enum: NAMED_SCOPES, isArray: true, description: 'What the token may do.' })
  scopes!: readonly Scope[];

  @ApiProperty({
    type: [String],
    format: 'uuid',
    nullable: true,
    description: 'The extensions that the token is restricted to; null for all.',
  })
  extensionIds!: readonly string[] | null;
}
