import { Column, Entity, Index } from 'typeorm';
import { NotExported, Row } from '../../common/database/index.js';

/** A backup that succeeded or failed, or the next scheduled one with the work lock of the process that makes it. */
@Entity('backup_run')
@NotExported('service')
@Index('backup_run_due_key', ['state'], { unique: true, where: "state = 'due'" })
export class BackupRunEntity extends Row {
  /** `due` is the next scheduled backup; there is at most one. */
  @Column('text')
  state!: 'due' | 'succeeded' | 'failed';

  /** Null once it has ended. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;

  /** Of the file; null unless it succeeded. */
  @Column('text', { nullable: true })
  name!: string | null;

  /** In bytes, as text because the driver returns a bigint so. */
  @Column('bigint', { nullable: true })
  size!: string | null;

  /** Why it failed, in a sentence. */
  @Column('text', { nullable: true })
  error!: string | null;

  @Column('uuid', { nullable: true })
  leaseToken!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;
}
