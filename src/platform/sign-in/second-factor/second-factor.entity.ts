import { Column, Entity, ManyToOne, Unique, type Relation } from 'typeorm';
import { NotExported, Personal, Row } from '../../../common/database/index.js';
import { UserEntity } from '../../accounts/index.js';

/** The authenticator app of a user. */
@Entity('second_factor')
@NotExported('person')
@Personal('member')
@Unique(['userId'])
export class SecondFactorEntity extends Row {
  @Column('uuid')
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  user?: Relation<UserEntity>;

  /** JWE of the secret that the app shares, sealed for this row's id. */
  @Column('text')
  sealed!: string;

  /** When a first code proved that the app has the secret; null until then. */
  @Column('timestamptz', { nullable: true })
  confirmedAt!: Date | null;

  /** The time step of the last code that was accepted: codes of it and of earlier ones are spent. */
  @Column('integer')
  lastStep!: number;
}

/** A code that replaces the app once. Using it deletes the row. */
@Entity('recovery_code')
@NotExported('person')
@Personal('member')
@Unique(['secondFactorId', 'digest'])
export class RecoveryCodeEntity extends Row {
  @Column('uuid')
  secondFactorId!: string;

  @ManyToOne(() => SecondFactorEntity, { onDelete: 'CASCADE' })
  secondFactor?: Relation<SecondFactorEntity>;

  /** SHA-256 of the code. */
  @Column('text')
  digest!: string;
}
