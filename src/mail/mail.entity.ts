import { Column, Entity, Index } from 'typeorm';
import { Row } from '../common/database/index.js';

/** `waiting` is still to be handed over, `sent` was taken by the mail server, `undelivered` was given up. */
export type MailState = 'waiting' | 'sent' | 'undelivered';

/** A mail of somebody's, and who is handing it over right now. */
@Entity('mail')
@Index(['purpose', 'aboutId'])
@Index('mail_worthless_idx', ['worthlessAt'], { where: "state = 'waiting'" })
@Index('mail_settled_idx', ['updatedAt'], { where: "state <> 'waiting'" })
@Index('mail_due_idx', ['nextTryAt'], { where: 'next_try_at IS NOT NULL' })
export class MailEntity extends Row {
  /** Which folder's mail it is, and about which of its rows. */
  @Column('text')
  purpose!: string;

  @Column('uuid')
  aboutId!: string;

  @Column('text')
  state!: MailState;

  /** JWE of address, subject and bodies, sealed for this row's id; null as soon as the mail is no longer waiting. */
  @Column('text', { nullable: true })
  sealed!: string | null;

  /** After this moment it would be of no use, and is given up. */
  @Column('timestamptz', { nullable: true })
  worthlessAt!: Date | null;

  @Column('integer')
  attempts!: number;

  @Column('timestamptz', { nullable: true })
  firstTriedAt!: Date | null;

  /** Null when it is no longer waiting. */
  @Column('timestamptz', { nullable: true })
  nextTryAt!: Date | null;

  /** The mail server's last refusal, as its three digits. */
  @Column('integer', { nullable: true })
  lastStatus!: number | null;

  /** Why the last attempt failed, as a code. */
  @Column('text', { nullable: true })
  lastError!: string | null;

  /** Whoever holds this token hands the mail over, until the lease runs out. */
  @Column('uuid', { nullable: true })
  leaseToken!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;
}
