import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../../../common/access/index.js';
import { BooleanField, ChoiceField } from '../../../common/fields/index.js';

/** A member of the tenant. */
export class Member {
  @ApiProperty({ format: 'uuid', description: 'Id of the user.' })
  userId!: string;

  @ApiProperty({ format: 'email', description: 'E-mail address of the user.' })
  email!: string;

  @ApiProperty({ enum: ROLES, description: 'What the member may do.' })
  role!: Role;

  @ApiProperty({ description: 'Whether the user is mailed about what is assigned to them.' })
  assignmentMails!: boolean;

  @ApiProperty({ description: 'When the user became a member.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When the role or assignmentMails last changed.' })
  updatedAt!: Date;
}

/** What the caller wants to be mailed about in the tenant. */
export class UpdateOwnMembership {
  @BooleanField({ description: 'Whether to mail the caller about what is assigned to them.' })
  assignmentMails!: boolean;
}

/** A member's new role. */
export class UpdateMember {
  @ChoiceField({ description: 'The new role. Only an owner can make or change an owner.', of: ROLES })
  role!: Role;
}
