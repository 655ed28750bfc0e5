import { Column, Entity, ManyToOne, Unique, type Relation } from 'typeorm';
import { NotExported, Personal, Row } from '../../../../common/database/index.js';
import { UserEntity } from '../../../accounts/index.js';

/** A person of an OpenID provider who signs in as a user. */
@Entity('user_identity')
@NotExported('person')
@Personal('member')
@Unique(['issuer', 'subject'])
@Unique(['userId', 'issuer'])
export class UserIdentityEntity extends Row {
  @Column('uuid')
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  user?: Relation<UserEntity>;

  @Column('text')
  issuer!: string;

  /** The provider's name for the person. */
  @Column('text')
  subject!: string;
}
