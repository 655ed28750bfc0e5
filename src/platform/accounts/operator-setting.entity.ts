import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotExported } from '../../common/database/index.js';

/** What is off for good or until the operator switches it on by a command, for all processes. Without a row, it is on. */
@Entity('operator_setting')
@NotExported('service')
export class OperatorSettingEntity {
  @PrimaryColumn('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
