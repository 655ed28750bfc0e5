import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Seats a device in the one case that needs no weighing: its license is good, the device holds no seat of it, and there is room. In every
 * other case it changes nothing and answers no row, and the caller decides. The license is locked before anything is read: each statement
 * here sees what is true by then, where one single statement would go by what was true before it waited, and oversell.
 */
const UP = `
  create function seat_device(
    the_extension uuid, digests bytea[], device bytea, device_label text, new_seat uuid, at timestamptz,
    out key_id uuid, out grace_days integer, out license_id uuid, out expires_at timestamptz, out code_pepper text, out tier text,
    out seat_idle_days integer, out max_activations integer, out used integer
  ) returns setof record language plpgsql as $$
  declare
    holds_one boolean;
  begin
    select license.id into license_id from license
     where license.code_digest = any(digests) and license.extension_id = the_extension
       for no key update;
    if not found then return; end if;
    select lease_key.id, extension.offline_grace_days, license.expires_at, license.code_pepper, plan.tier, extension.seat_idle_days,
           coalesce(license.max_activations, plan.max_activations)
      into key_id, grace_days, expires_at, code_pepper, tier, seat_idle_days, max_activations
      from license
      join plan on plan.id = license.plan_id
      join extension on extension.id = license.extension_id and extension.licensing_enabled
      left join lease_key on lease_key.extension_id = extension.id and lease_key.state = 'current'
     where license.id = seat_device.license_id and license.revoked_at is null and cardinality(license.suspended_for) = 0
       and (license.expires_at is null or license.expires_at > at);
    if not found then return; end if;
    select count(*), coalesce(bool_or(seat.fingerprint_digest = device), false) into used, holds_one
      from seat where seat.license_id = seat_device.license_id and seat.ended_at is null;
    if holds_one or used >= max_activations then return; end if;
    insert into seat (id, license_id, fingerprint_digest, label, first_seen_at, last_seen_at)
      values (new_seat, seat_device.license_id, device, device_label, at, at)
      on conflict on constraint seat_license_id_fingerprint_digest_key
      do update set ended_at = null, first_seen_at = at, last_seen_at = at, label = coalesce(excluded.label, seat.label);
    used := used + 1;
    return next;
  end $$`;

/** The activation of a device in one round trip. */
export class Activation1795000600000 implements MigrationInterface {
  readonly name = 'Activation1795000600000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop function seat_device');
  }
}
