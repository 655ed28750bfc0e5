import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../../common/access/index.js';
import { ChoiceField } from '../../common/fields/index.js';

/** A member of the tenant. */
export class Member {
  @ApiProperty({ format: 'uuid' })
  userId!: string;

  @ApiProperty({ format: 'email' })
  email!: string;

  @ApiProperty({ enum: ROLES })
  role!: Role;

  @ApiProperty({ type: String, format: 'date-time', description: 'When the user became a member.' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updatedAt!: Date;
}

/** A member's new role. */
export class UpdateMember {
  @ChoiceField({ description: 'The new role. Only an owner can make or change an owner.', of: ROLES })
  role!: Role;
}
