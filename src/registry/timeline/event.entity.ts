import { Column, Entity, Index, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Exported } from '../../common/database/index.js';
import { ExtensionEntity } from '../extension.entity.js';

/** An event of an extension's timeline, never changed. Its id is a UUIDv7, which orders events. */
@Entity('event')
@Index(['extensionId', 'id'])
@Index('event_live_idx', ['extensionId', 'targetId', 'id'], { where: "kind = 'phase_live'" })
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
}
