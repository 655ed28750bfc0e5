import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the operator switched by a command, for all processes at once. A row says that the thing of this name is off. */
@Entity('operator_setting')
export class OperatorSettingEntity {
  @PrimaryColumn('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
