import { Column, Entity, Unique } from 'typeorm';
import { Audited, NotExported, Personal, Row } from '../../common/database/index.js';

/** A person who logs in, and belongs to any number of tenants. */
@Entity('tenant_user')
@NotExported('person')
@Personal('member')
@Unique(['email'])
export class UserEntity extends Row {
  /** Lower case. */
  @Column('text')
  @Audited({ of: 'member' })
  email!: string;

  /** Argon2id, PHC string; null for a user who signs in otherwise. */
  @Column('text', { nullable: true })
  passwordHash!: string | null;

  /** When the user first proved to receive mail at the address, here or at the identity provider; null while nobody has. */
  @Column('timestamptz', { nullable: true })
  emailVerifiedAt!: Date | null;

  /** Whether the user is an operator, who sees the state of the instance. */
  @Column('boolean')
  isOperator!: boolean;
}
