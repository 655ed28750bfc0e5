import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../../../common/access/index.js';
import { ChoiceField, EmailField, EXAMPLE, TextField } from '../../../common/fields/index.js';
import { NewPasswordField, PASSWORD_MIN } from '../passwords/index.js';

/** A new invitation. */
export class CreateInvitation {
  @EmailField({ description: 'E-mail address of the person to invite.' })
  email!: string;

  @ChoiceField({ description: 'Role of the new member. Only an owner can invite an owner.', of: ROLES })
  role!: Role;
}

/** An invitation that has not been accepted. */
export class Invitation {
  @ApiProperty({ format: 'uuid', description: 'Id of the invitation.' })
  id!: string;

  @ApiProperty({ format: 'email', description: 'The address that was invited.' })
  email!: string;

  @ApiProperty({ enum: ROLES, description: 'Role of the new member.' })
  role!: Role;

  @ApiProperty({ format: 'email', description: 'The member who sent it. The invitation ends with that membership.' })
  invitedBy!: string;

  @ApiProperty({ description: 'When its link stops working: 7 days after the invitation.' })
  expiresAt!: Date;

  @ApiProperty({ description: 'When the address was invited.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed.' })
  updatedAt!: Date;
}

/** A new invitation, with its link. No other answer contains it. */
export class CreatedInvitation extends Invitation {
  @ApiProperty({
    description: 'The link to hand over. It is shown only once. Anyone who has it can accept the invitation.',
    example: 'https://pierhead.example/invitation#C2FVsBQIhrscChlQIMV-b5sSYspob7oDq1lNnE3xk0w',
  })
  link!: string;

  @ApiProperty({ description: 'Whether the link is also being mailed. False when the service sends no mail.' })
  mailed!: boolean;
}

/** The secret of an invitation's link. */
export class InvitationToken {
  @TextField({ description: "The part of the invitation's link after the `#`.", max: 64, example: EXAMPLE.secret })
  token!: string;
}

/** Fields with which a person who is not logged in accepts an invitation. */
export class AcceptInvitation extends InvitationToken {
  @NewPasswordField(
    `Your password if the address has an account; otherwise a new one, at least ${PASSWORD_MIN} characters and not one of the commonest passwords.`,
  )
  password!: string;
}

/** Offer of an invitation. */
export class InvitationOffer {
  @ApiProperty({ description: 'Name of the tenant.', example: 'Studio Ann' })
  tenantName!: string;

  @ApiProperty({ format: 'email', description: 'The member who invites.' })
  invitedBy!: string;

  @ApiProperty({ format: 'email', description: 'The address that was invited.' })
  email!: string;

  @ApiProperty({ enum: ROLES, description: 'Role of the new member.' })
  role!: Role;

  @ApiProperty({ description: 'When its link stops working: 7 days after the invitation.' })
  expiresAt!: Date;
}
