import { Column, Entity, Unique } from 'typeorm';
import { Row } from '../../common/database/index.js';

/** A person who logs in, and belongs to any number of tenants. */
@Entity('tenant_user')
@Unique(['email'])
export class UserEntity extends Row {
  /** Lower case. */
  @Column('text')
  email!: string;

  /** Argon2id, PHC string. */
  @Column('text')
  passwordHash!: string;
}
