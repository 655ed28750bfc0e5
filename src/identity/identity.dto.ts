import { ApiProperty } from '@nestjs/swagger';
import { SCOPES, type Scope } from '../common/access/index.js';
import { ChoicesField, EmailField, IntField, TextField } from '../common/fields/index.js';

const PASSWORD_MIN = 10;
const PASSWORD_MAX = 1024;

/** A new tenant and its first user. */
export class Signup {
  @EmailField({ description: 'E-mail of the first user.' })
  email!: string;

  @TextField({
    description: 'At least 10 characters; taken verbatim.',
    min: PASSWORD_MIN,
    max: PASSWORD_MAX,
    verbatim: true,
  })
  password!: string;

  @TextField({ description: 'What the tenant is called.', max: 200 })
  tenantName!: string;
}

export class Login {
  @EmailField({ description: 'E-mail of the user.' })
  email!: string;

  @TextField({ description: 'The password.', max: PASSWORD_MAX, verbatim: true })
  password!: string;
}

class User {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'email' })
  email!: string;
}

class Tenant {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'A name of TENANT_PLANS; says how many extensions the tenant may have.' })
  plan!: string;
}

/** Who is logged in. */
export class Me {
  @ApiProperty({ type: User })
  user!: User;

  @ApiProperty({ type: Tenant })
  tenant!: Tenant;
}

/** A short-lived access token for a console in the browser. */
export class ExchangedToken {
  @ApiProperty({ description: 'A Bearer token with the scope `*`.' })
  token!: string;

  @ApiProperty({ type: String, format: 'date-time', description: '15 minutes from now.' })
  expiresAt!: Date;
}

export class CreateAccessToken {
  @TextField({ description: 'What the token is for.', max: 100 })
  name!: string;

  @ChoicesField({ description: 'What it may do; write implies read of the same kind.', of: SCOPES })
  scopes!: Scope[];

  @IntField({ description: 'Days until it expires; never when absent.', min: 1, max: 3650, optional: true })
  expiresInDays?: number;
}

/** An access token as it is shown after it was made: never the token itself. */
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

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'To the minute.' })
  lastUsedAt!: Date | null;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updatedAt!: Date;
}

/** The only answer that holds the token. */
export class CreatedAccessToken extends AccessToken {
  @ApiProperty({ description: 'The token, shown only now.' })
  token!: string;
}
