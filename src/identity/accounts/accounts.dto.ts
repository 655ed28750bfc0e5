import { ApiProperty } from '@nestjs/swagger';
import { EmailField, TextField } from '../../common/fields/index.js';
import { NewPasswordField, PasswordField } from './password-fields.js';

/** A new tenant and its first user. */
export class Signup {
  @EmailField({ description: 'E-mail address of the first user.' })
  email!: string;

  @NewPasswordField()
  password!: string;

  @TextField({ description: 'Name of the tenant.', max: 200 })
  tenantName!: string;
}

/** The credentials of a user. */
export class Login {
  @EmailField({ description: 'E-mail address of the user.' })
  email!: string;

  @PasswordField('Password of the user.')
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

  @ApiProperty({ description: 'One of TENANT_PLANS. Limits how many extensions the tenant can have.' })
  plan!: string;
}

/** The user who is logged in, and the tenant. */
export class Me {
  @ApiProperty({ type: User })
  user!: User;

  @ApiProperty({ type: Tenant })
  tenant!: Tenant;
}
