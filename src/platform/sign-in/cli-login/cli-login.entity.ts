import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { NotExported, Personal, Row } from '../../../common/database/index.js';
import { SessionEntity } from '../../accounts/index.js';

/** A program that waits until a person approves its log-in in a browser. The program's own session deletes the row. */
@Entity('cli_login')
@NotExported('person')
@Personal('member')
@Unique(['deviceCodeDigest'])
@Unique(['userCodeDigest'])
@Index(['sessionId'])
@Index(['expiresAt'])
export class CliLoginEntity extends Row {
  /** SHA-256 of the secret that the program keeps. */
  @Column('text')
  deviceCodeDigest!: string;

  /** SHA-256 of the code that the person compares. */
  @Column('text')
  userCodeDigest!: string;

  /** The program's name for itself; null where it gives none. */
  @Column('text', { nullable: true })
  name!: string | null;

  @Column('timestamptz')
  expiresAt!: Date;

  /** The session in which the person approved; null until then. The approval ends with it. */
  @Column('uuid', { nullable: true })
  sessionId!: string | null;

  @ManyToOne(() => SessionEntity, { onDelete: 'CASCADE' })
  session?: Relation<SessionEntity>;

  @Column('timestamptz', { nullable: true })
  deniedAt!: Date | null;
}
