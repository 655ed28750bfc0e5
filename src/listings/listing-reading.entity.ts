import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { NotExported } from '../common/database/index.js';
import { TargetEntity } from '../targets/index.js';

/** When a target's item is read next, and how that went the last time. */
@Entity('listing_reading')
@NotExported('scheduling')
@Index(['dueAt'])
export class ListingReadingEntity {
  @PrimaryColumn('uuid')
  targetId!: string;

  @OneToOne(() => TargetEntity, { onDelete: 'CASCADE' })
  @JoinColumn()
  target?: Relation<TargetEntity>;

  @Column('timestamptz')
  dueAt!: Date;

  /** When the store last answered; null while it never has. */
  @Column('timestamptz', { nullable: true })
  readAt: Date | null = null;

  /** Why the last reading failed, in a sentence; null when it did not. */
  @Column('text', { nullable: true })
  failure: string | null = null;

  @Column('uuid', { nullable: true })
  leaseToken: string | null = null;

  @Column('timestamptz', { nullable: true })
  leaseUntil: Date | null = null;
}
