import { Column, Entity, Index, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Exported } from '../../common/database/index.js';
import type { StoreMetric, UserDimension } from '../../stores/index.js';
import { TargetEntity } from '../../targets/index.js';

/** A figure that a store told about an item on a UTC day. */
@Entity('store_figure')
// Beside thousands of users by country and version a day, those of all are few, and pages ask for them.
@Index('store_figure_users_idx', ['targetId', 'day'], { where: "metric = 'users' AND dimension = ''" })
export class StoreFigureEntity {
  @PrimaryColumn('uuid')
  @Exported()
  targetId!: string;

  @ManyToOne(() => TargetEntity, { onDelete: 'CASCADE' })
  target?: Relation<TargetEntity>;

  @PrimaryColumn('date')
  @Exported()
  day!: string;

  @PrimaryColumn('text')
  @Exported()
  metric!: StoreMetric;

  /** What the users are divided by; empty for all of them, because a primary key holds no null. */
  @PrimaryColumn('text')
  @Exported()
  dimension!: UserDimension | '';

  /** The part of the users that is counted; empty for all, and where the store does not know it. */
  @PrimaryColumn('text')
  @Exported()
  value!: string;

  @Column('double precision')
  @Exported()
  amount!: number;
}
