import { Column, Entity, Index, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { NotExported } from '../common/database/index.js';
import type { ToldOfFile } from '../reconcile/index.js';
import { TargetEntity } from '../targets/index.js';

/** What is read of an item, each at its own time. */
export const READING_KINDS = ['figures', 'reviews', 'announcements', 'file'] as const;
export type ReadingKind = (typeof READING_KINDS)[number];

/** When something of a target's item is read next, and how that went the last time. */
@Entity('listing_reading')
@NotExported('scheduling')
@Unique(['targetId', 'kind'])
@Index(['dueAt'])
export class ListingReadingEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  targetId!: string;

  @ManyToOne(() => TargetEntity, { onDelete: 'CASCADE' })
  target?: Relation<TargetEntity>;

  @Column('text')
  kind!: ReadingKind;

  @Column('timestamptz')
  dueAt!: Date;

  /** When the store last answered; null while it never has. */
  @Column('timestamptz', { nullable: true })
  readAt: Date | null = null;

  /** Why the last reading failed, in a sentence; null when it did not. */
  @Column('text', { nullable: true })
  failure: string | null = null;

  /** What the timeline was told; null for nothing, and of what it is not told. */
  @Column('jsonb', { nullable: true })
  told: ToldOfFile | null = null;

  @Column('uuid', { nullable: true })
  leaseToken: string | null = null;

  @Column('timestamptz', { nullable: true })
  leaseUntil: Date | null = null;
}
