import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { NotExported, Personal, Row } from '../../common/database/index.js';
import { UserEntity } from '../accounts/index.js';

/** A link by which a user logs in once. */
@Entity('login_link')
@NotExported('person')
@Personal('member')
@Unique(['secretDigest'])
@Index(['userId'])
export class LoginLinkEntity extends Row {
  @Column('uuid')
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  user?: Relation<UserEntity>;

  @Column('text')
  secretDigest!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}
