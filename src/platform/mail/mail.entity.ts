import { Column, Entity, Index } from 'typeorm';
import { Exported, NotExported, Personal, Row } from '../../common/database/index.js';

/** `waiting`: to be handed over. `sent`: the mail server took it. `undelivered`: given up. */
export type MailState = 'waiting' | 'sent' | 'undelivered';

/** A mail, and the work lock of the worker that is handing it over. */
@Entity('mail')
@Index(['purpose', 'aboutId'])
@Index(['tenantId'])
@Index('mail_expires_idx', ['expiresAt'], { where: "state = 'waiting'" })
@Index('mail_settled_idx', ['updatedAt'], { where: "state <> 'waiting'" })
@Index('mail_failed_idx', ['updatedAt'], { where: 'last_error IS NOT NULL' })
@Index('mail_due_idx', ['nextTryAt'], { where: 'next_try_at IS NOT NULL' })
export class MailEntity extends Row {
  /** The tenant in whose name it is sent; null for mails of the service itself. Not a foreign key, since mails outlive what they are about. */
  @Column('uuid', { nullable: true })
  @NotExported('owner')
  tenantId!: string | null;

  /** Kind of the mail, and the row of its owner that it is about. */
  @Column('text')
  @Exported()
  purpose!: string;

  @Column('uuid')
  @Exported()
  aboutId!: string;

  @Column('text')
  @Exported()
  state!: MailState;

  /** JWE of address, subject and bodies, sealed for this row's id; null once the mail no longer waits. */
  @Column('text', { nullable: true })
  @NotExported('secret')
  @Personal('buyer', 'member')
  sealed!: string | null;

  /** From this time on the mail is useless, and given up. */
  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  expiresAt!: Date | null;

  @Column('integer')
  @Exported()
  attempts!: number;

  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  firstTriedAt!: Date | null;

  /** Null once the mail no longer waits. */
  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  nextTryAt!: Date | null;

  /** The three digits of the mail server's last refusal. */
  @Column('integer', { nullable: true })
  @Exported()
  lastStatus!: number | null;

  /** Why the last attempt failed, as a code. */
  @Column('text', { nullable: true })
  @Exported()
  lastError!: string | null;

  /** Token of the work lock under which a worker hands the mail over. */
  @Column('uuid', { nullable: true })
  @NotExported('scheduling')
  leaseToken!: string | null;

  @Column('timestamptz', { nullable: true })
  @NotExported('scheduling')
  leaseUntil!: Date | null;
}
