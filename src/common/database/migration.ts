import type { MigrationInterface } from 'typeorm';

/** A change of the schema. */
export interface Migration extends MigrationInterface {
  readonly name: string;
  /** The oldest version of Pierhead that may serve the schema that it leaves, such as 1.4.0. */
  readonly oldestVersion: string;
}
