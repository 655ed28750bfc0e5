import { ApiProperty } from '@nestjs/swagger';
import { SCOPES, type Scope } from '../../common/access/index.js';
import { ChoicesField, IntField, TextField } from '../../common/fields/index.js';

/** A short-lived access token for a console in the browser. */
export class ExchangedToken {
  @ApiProperty({ description: 'Access token with the scope `*`.' })
  token!: string;

  @ApiProperty({ type: String, format: 'date-time', description: '15 minutes from now.' })
  expiresAt!: Date;
}

/** A new access token. */
export class CreateAccessToken {
  @TextField({ description: 'Name of the token, such as what uses it.', max: 100 })
  name!: string;

  @ChoicesField({
    description: 'What the token may do. `write` includes `read` of the same kind; `*` includes everything.',
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
}

/** An access token, without the token itself. */
export class AccessToken {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes!: readonly Scope[];

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expiresAt!: Date | null;

  @ApiProperty({ description: "The token's last four characters." })
  lastFour!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Accurate to the minute.' })
  lastUsedAt!: Date | null;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updatedAt!: Date;
}

/** A new access token, with the token itself. No other answer contains it. */
export class CreatedAccessToken extends AccessToken {
  @ApiProperty({ description: 'The token. It is shown only once.' })
  token!: string;
}
