import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What is off for good or until the operator switches it on by a command, for all processes. Without a row, it is on. */
@Entity('operator_setting')
export class OperatorSettingEntity {
  @PrimaryColumn('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
