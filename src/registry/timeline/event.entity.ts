import { Column, Entity, Index, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ExtensionEntity } from '../extension.entity.js';

/** An event of an extension's timeline, never changed. Its id is a UUIDv7, which orders events. */
@Entity('event')
@Index(['extensionId', 'id'])
@Index('event_live_idx', ['extensionId', 'targetId', 'id'], { where: "kind = 'phase_live'" })
export class EventEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  @Column('timestamptz')
  at!: Date;

  @Column('uuid', { nullable: true })
  targetId!: string | null;

  @Column('text', { nullable: true })
  version!: string | null;

  @Column('text')
  kind!: string;

  @Column('text')
  message!: string;

  @Column('jsonb', { nullable: true })
  data!: unknown;
}
