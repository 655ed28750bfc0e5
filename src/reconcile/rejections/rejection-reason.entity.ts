import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, Exported, Personal, Row } from '../../common/database/index.js';
import type { StoreId } from '../../stores/index.js';
import { ReleaseEntity } from '../releases/index.js';

/** Why a store rejected a version, as its mail or dashboard says: a person records it, once for each rejection. */
@Entity('rejection_reason')
@Unique(['releaseId', 'rejectedAt'])
@Index(['extensionId', 'id'])
export class RejectionReasonEntity extends Row {
  @Column('uuid')
  @Exported()
  extensionId!: string;

  @Column('uuid')
  @Exported()
  releaseId!: string;

  @ManyToOne(() => ReleaseEntity, { onDelete: 'CASCADE' })
  release?: Relation<ReleaseEntity>;

  /** When the release entered the state: a version that is submitted again can be rejected again. */
  @Column('timestamptz')
  @Exported()
  rejectedAt!: Date;

  @Column('text')
  @Exported()
  @Audited()
  store!: StoreId;

  /** As the store shows it. */
  @Column('text')
  @Exported()
  @Audited()
  version!: string;

  @Column('text')
  @Exported()
  @Audited()
  text!: string;

  /** The person who recorded it last: an e-mail address, or the name of a token or a CI job. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('member')
  recordedBy: string | null = null;
}
