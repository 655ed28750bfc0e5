import { Column, Entity, Index, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Exported, Personal } from '../../common/database/index.js';
import { ExtensionEntity } from '../extension.entity.js';

/**
 * Condition of the events that mark how far a version got at a store. Of those that leave a target to a person, a cancelled review is one: what else
 * waits for a person, such as a refused credential, does not end a review.
 */
export const ON_THE_WAY =
  "(kind in ('phase_in_review', 'phase_approved', 'phase_releasing', 'phase_rejected', 'phase_live') or kind = 'phase_action_required' and data ->> 'cause' = 'cancelled')";

/** Condition of the events that are about no license, of which an extension that sells has few among many. */
export const OF_PUBLISHING = "kind not like 'license%'";

/** An event of an extension's timeline, never changed. Its id is a UUIDv7, which orders events. */
@Entity('event')
@Index(['extensionId', 'id'])
@Index('event_live_idx', ['extensionId', 'targetId', 'id'], { where: "kind = 'phase_live'" })
@Index('event_publishing_idx', ['extensionId', 'id'], { where: OF_PUBLISHING })
@Index('event_way_idx', ['targetId', 'id'], { where: ON_THE_WAY })
export class EventEntity {
  @PrimaryColumn('uuid')
  @Exported()
  id!: string;

  @Column('uuid')
  @Exported()
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  @Column('timestamptz')
  @Exported()
  at!: Date;

  @Column('uuid', { nullable: true })
  @Exported()
  targetId!: string | null;

  @Column('text', { nullable: true })
  @Exported()
  version!: string | null;

  @Column('text')
  @Exported()
  kind!: string;

  @Column('text')
  @Exported()
  message!: string;

  @Column('jsonb', { nullable: true })
  @Exported()
  data!: unknown;

  /** An e-mail address, or the name of a token or a CI job; null for what a store or the service did. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('member')
  actor!: string | null;
}
