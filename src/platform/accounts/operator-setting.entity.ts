import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotExported } from '../../common/database/index.js';

/** A function of the service that is off, for all processes, until the operator switches it on by a command. Without a row, it is on. */
@Entity('operator_setting')
@NotExported('service')
export class OperatorSettingEntity {
  @PrimaryColumn('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
