import { Column, Entity, Index, ManyToOne, Unique } from 'typeorm';
import { NotExported, Row } from '../../database/index.js';

/** A request with an `Idempotency-Key` that made something, and what it was answered. Kept for a day. */
@Entity('idempotent_answer')
@NotExported('derived')
@Unique(['request'])
@Index(['tenantId'])
@Index(['createdAt'])
export class IdempotentAnswerEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  /** By its name: nothing in this folder knows accounts. */
  @ManyToOne('TenantEntity', { onDelete: 'CASCADE' })
  tenant?: object;

  /** Digest of caller, route and key. */
  @Column('text')
  request!: string;

  /** Digest of the body. */
  @Column('text')
  body!: string;

  /** Null while the request runs, or when the process ended before it was answered. */
  @Column('timestamptz', { nullable: true })
  answeredAt!: Date | null;

  /** The answer, sealed for this row's id; null before it is given, and once a buyer of the tenant has been erased. */
  @Column('text', { nullable: true })
  sealed!: string | null;
}
