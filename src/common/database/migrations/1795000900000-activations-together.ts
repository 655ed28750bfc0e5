import type { MigrationInterface, QueryRunner } from 'typeorm';

const WAITING = 'for no key update;';
const PASSING_OVER = 'for no key update skip locked;';

/**
 * `seat_device` passes over a license that somebody else has locked, where it waited before: devices that share a statement would wait
 * with it for a license that is none of theirs. The caller decides about what was passed over, and waits for it alone.
 */
export class ActivationsTogether1795000900000 implements MigrationInterface {
  readonly name = 'ActivationsTogether1795000900000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(replacing(WAITING, PASSING_OVER));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(replacing(PASSING_OVER, WAITING));
  }
}

const replacing = (before: string, after: string): string => `
  do $migration$ begin
    execute replace(pg_get_functiondef('seat_device'::regproc), '${before}', '${after}');
  end $migration$`;
