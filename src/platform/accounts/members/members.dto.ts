import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../../../common/access/index.js';
import { ChoiceField } from '../../../common/fields/index.js';

/** A member of the tenant. */
export class Member {
  @ApiProperty({ format: 'uuid', description: 'Id of the user.' })
  userId!: string;

  @ApiProperty({ format: 'email', description: 'E-mail address of the user.' })
  email!: string;

  @ApiProperty({ enum: ROLES, description: 'What the member may do.' })
  role!: Role;

  @ApiProperty({ description: 'When the user became a member.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When the role last changed.' })
  updatedAt!: Date;
}

/** A member's new role. */
export class UpdateMember {
  @ChoiceField({ description: 'The new role. Only an owner can make or change an owner.', of: ROLES })
  role!: Role;
}
