import { ApiProperty } from '@nestjs/swagger';
import { ROLE_PERMISSIONS, ROLES, type Permission, type Role } from '../../common/access/index.js';
import { EmailField, NameField, NULLABLE_TEXT } from '../../common/fields/index.js';
import { NewPasswordField } from './passwords/password-fields.js';

/** A new tenant and its first user. */
export class Signup {
  @EmailField({ description: 'E-mail address of the first user.' })
  email!: string;

  @NewPasswordField()
  password!: string;

  @NameField({ description: 'Name of the tenant.', max: 200, example: 'Studio Ann' })
  tenantName!: string;
}

class User {
  @ApiProperty({ format: 'uuid', description: 'Id of the user.' })
  id!: string;

  @ApiProperty({ format: 'email', description: 'E-mail address of the user.' })
  email!: string;

  @ApiProperty({ description: 'Whether the user is an operator, who may call `GET /instance`.' })
  operator!: boolean;
}

class Tenant {
  @ApiProperty({ format: 'uuid', description: 'Id of the tenant.' })
  id!: string;

  @ApiProperty({ description: 'Name of the tenant.', example: 'Studio Ann' })
  name!: string;

  @ApiProperty({
    description: 'One of TENANT_QUOTAS. Limits how many extensions the tenant can have.',
    example: 'standard',
  })
  quota!: string;

  @ApiProperty({ description: 'The former name of `quota`.', deprecated: true, example: 'standard' })
  plan!: string;
}

/** A tenant that a user belongs to. */
export class TenantOfUser {
  @ApiProperty({ format: 'uuid', description: 'Id of the tenant.' })
  id!: string;

  @ApiProperty({ description: 'Name of the tenant.', example: 'Studio Ann' })
  name!: string;

  @ApiProperty({ enum: ROLES, description: "The user's role there." })
  role!: Role;
}

/** A new tenant. */
export class CreateTenant {
  @NameField({ description: 'Name of the tenant.', max: 200, example: 'Studio Ben' })
  name!: string;
}

/** Which build of the service answers. */
export class ServiceBuild {
  @ApiProperty({ description: "Pierhead's version.", example: '1.2.0' })
  version!: string;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The commit that it was built from, 40 hexadecimal digits; null where the build does not know it.',
    example: '3fa9c1d2e4b5a6978695a4b3c2d1e0f9a8b7c6d5',
  })
  commit!: string | null;
}

/** The user who is logged in, and the current tenant of the session. */
export class Me {
  @ApiProperty({ type: User, description: 'The user who is logged in.' })
  user!: User;

  @ApiProperty({ type: Tenant, description: 'The current tenant of the session.' })
  tenant!: Tenant;

  @ApiProperty({ enum: ROLES, description: "The user's role in the tenant." })
  role!: Role;

  @ApiProperty({
    isArray: true,
    enum: ROLE_PERMISSIONS.owner,
    description: 'The permissions of the role, as routes name them.',
  })
  permissions!: readonly Permission[];

  @ApiProperty({ type: [TenantOfUser], description: 'Every tenant of the user, in the order of joining.' })
  tenants!: readonly TenantOfUser[];

  @ApiProperty({ type: ServiceBuild, description: 'What answers.' })
  service!: ServiceBuild;
}
