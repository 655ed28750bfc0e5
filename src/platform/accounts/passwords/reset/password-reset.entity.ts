import { Column, Entity, ManyToOne, Unique, type Relation } from 'typeorm';
import { NotExported, Personal, Row } from '../../../../common/database/index.js';
import { UserEntity } from '../../user.entity.js';

/** A mailed link by which a user sets a new password. A user has one at most; using it deletes the row. */
@Entity('password_reset')
@NotExported('person')
@Personal('member')
@Unique(['userId'])
@Unique(['secretDigest'])
export class PasswordResetEntity extends Row {
  @Column('uuid')
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  user?: Relation<UserEntity>;

  /** SHA-256 of the link's secret. */
  @Column('text')
  secretDigest!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}
