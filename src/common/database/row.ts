import { Column, PrimaryColumn } from 'typeorm';
import { newId } from '../fields/index.js';

/** What every row has: an id made in code and the two times, set by the clock that is injected. */
export abstract class Row {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}

/** The beginnings of a new row. */
export const newRow = (now: Date): { id: string; createdAt: Date; updatedAt: Date } => ({
  id: newId(),
  createdAt: now,
  updatedAt: now,
});
