import { ApiProperty } from '@nestjs/swagger';
import { SCOPES, TENANT_SCOPES, type Scope } from '../../../common/access/index.js';
import {
  ChoicesField,
  EXAMPLE,
  IdsField,
  IntField,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  NameField,
} from '../../../common/fields/index.js';

/** The most extensions that a token can be restricted to. */
export const MAX_RESTRICTED_TO = 100;

/** A short-lived access token for a console in the browser. */
export class ExchangedToken {
  @ApiProperty({ description: 'Access token with the scope `*`.', example: EXAMPLE.token })
  token!: string;

  @ApiProperty({ description: 'When it expires: 15 minutes from now.' })
  expiresAt!: Date;
}

const NAMED_SCOPES = new Intl.ListFormat('en-GB').format(TENANT_SCOPES.map((scope) => `\`${scope}\``));

/** A new access token. */
export class CreateAccessToken {
  @NameField({ description: 'Name of the token, such as where it is used.', max: 100, example: 'CI of Tab Counter' })
  name!: string;

  @ChoicesField({
    description: `What the token may do. \`write\` includes \`read\` of the same kind. \`*\` includes everything but ${NAMED_SCOPES}, which must be named.`,
    of: SCOPES,
  })
  scopes!: Scope[];

  @IntField({
    description: 'Days until the token expires. Default: it never expires.',
    min: 1,
    max: 3650,
    optional: true,
  })
  expiresInDays?: number;

  @IdsField({
    description:
      'Restricts the token to these extensions. Other extensions answer 404, and routes that concern the whole tenant answer 403. Absent or null: all extensions, including later ones.',
    maxEntries: MAX_RESTRICTED_TO,
    optional: true,
    nullable: true,
    example: null,
  })
  extensionIds?: string[] | null;
}

/** An access token, without the token itself. */
export class AccessToken {
  @ApiProperty({ format: 'uuid', description: 'Id of the token.' })
  id!: string;

  @ApiProperty({ description: 'Name given by its creator.', example: 'CI of Tab Counter' })
  name!: string;

  @ApiProperty({ enum: SCOPES, isArray: true, description: 'What it may do.' })
  scopes!: readonly Scope[];

  @ApiProperty({
    type: [String],
    format: 'uuid',
    nullable: true,
    description: 'The extensions that the token is restricted to; null for all.',
    example: null,
  })
  extensionIds!: readonly string[] | null;

  @ApiProperty({
    type: String,
    format: 'email',
    nullable: true,
    description:
      'The user who created the token: it can do no more than the role of this user allows, and ends when the user leaves. Null for a token that belongs to no user.',
  })
  createdBy!: string | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When it expires; null for never.' })
  expiresAt!: Date | null;

  @ApiProperty({ description: "The token's last four characters.", example: 'aRZU' })
  lastFour!: string;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When it was last used, to the minute; null if never.' })
  lastUsedAt!: Date | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'IP address of that use.', example: '203.0.113.7' })
  lastUsedAddress!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Client of that use, from its User-Agent.', example: 'curl/8.5.0' })
  lastUsedClient!: string | null;

  @ApiProperty({ description: 'When it was created.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed, other than by being used.' })
  updatedAt!: Date;
}

/** A new access token, with the token itself. No other answer contains it. */
export class CreatedAccessToken extends AccessToken {
  @ApiProperty({ description: 'The token. It is shown only once.', example: EXAMPLE.token })
  token!: string;
}
