import { Column, Entity, Index, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../../common/database/index.js';
import { UserEntity } from '../accounts/user.entity.js';

/** A log-in of a user in one browser. */
@Entity('session')
@Unique(['secretHash'])
@Index(['userId'])
export class SessionEntity extends Row {
  @Column('uuid')
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user?: Relation<UserEntity>;

  /** SHA-256 of the cookie's value, hex. */
  @Column('text')
  secretHash!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}
