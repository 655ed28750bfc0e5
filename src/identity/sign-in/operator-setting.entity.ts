import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A feature that the operator has switched off by a command, for all processes. Without a row, the feature is on. */
@Entity('operator_setting')
export class OperatorSettingEntity {
  @PrimaryColumn('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
