import { Column, PrimaryColumn } from 'typeorm';
import { newId } from '../fields/pure.js';
import { Exported } from './column-purposes.js';

/** The columns of every row: an id that the service generates, and two times from the injected clock. */
export abstract class Row {
  @PrimaryColumn('uuid')
  @Exported()
  id!: string;

  @Column('timestamptz')
  @Exported()
  createdAt!: Date;

  @Column('timestamptz')
  @Exported()
  updatedAt!: Date;
}

/** Makes these columns for a new row. */
export const newRow = (now: Date): { id: string; createdAt: Date; updatedAt: Date } => ({
  id: newId(),
  createdAt: now,
  updatedAt: now,
});

/** Returns the `updatedAt` of a change: always later than the last one, even within a millisecond, since ETags are made of it. */
export const timeOfChange = ({ updatedAt }: Pick<Row, 'updatedAt'>, now: Date): Date =>
  now > updatedAt ? now : new Date(updatedAt.getTime() + 1);
