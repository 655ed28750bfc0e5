import { Injectable } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { onConstraint, Transactions } from '../common/database/index.js';
import { Not } from 'typeorm';
import { newId } from '../common/fields/index.js';
import type { Phase } from './phase.js';
import { TargetEntity, type Track } from './target.entity.js';

/** A lease is void this long after it was last renewed; by the database's clock, the one that all processes share. */
const LEASE_SECONDS = 20;
export const RENEW_EVERY_MS = 5_000;

/** A target as the engine knows it. */
export type KnownTarget = Omit<TargetEntity, 'extension' | 'credential'>;

/** A target with the right to work on it. */
export interface LeasedTarget extends KnownTarget {
  readonly leaseToken: string;
}

/** What a look at a store, or the failure of one, makes of a target. */
export interface TargetUpdate {
  readonly phase: Phase;
  readonly message: string;
  readonly desiredVersion: string | null;
  readonly liveVersion: string | null;
  readonly submittedVersion: string | null;
  readonly checkedAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly notBefore: Date | null;
  readonly failures: number;
  readonly looks: number;
  readonly waitingSince: Date | null;
  readonly stallToldAt: Date | null;
  readonly tracks: Readonly<Record<string, Track>>;
}

/** SQL: the row stands for the item, the public id and the channel of the three parameters from this number on. */
const samePlace = (first: number): string =>
  `store_item_id is not distinct from $${first} and crx_id is not distinct from $${first + 1} and channel = $${first + 2}`;

/**
 * Who works on which target. A lease has a token that every write carries: whoever lost his lease cannot overwrite his successor.
 */
@Injectable()
export class TargetWork {
  /** Names this process among all that ever took a lease. */
  private readonly boot = newId();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
  ) {}

  /** The extension's targets. */
  of(extensionId: string): Promise<readonly KnownTarget[]> {
    return this.tx.repository(TargetEntity).find({ where: { extensionId }, order: { id: 'ASC' } });
  }

  /** Takes the target that has been due for longest and that nobody works on; null when there is none. */
  claimDue(): Promise<LeasedTarget | null> {
    return this.claim('next_check_at <= $2 order by next_check_at limit 1 for update skip locked', [this.clock.now()]);
  }

  /** Takes one target, due or not; null when another worker has it or its store cannot be asked. */
  claimOne(id: string): Promise<LeasedTarget | null> {
    return this.claim('next_check_at is not null and id = $2 for update skip locked', [id]);
  }

  /** Until when another worker has the target; null when none has. */
  async leasedUntil(id: string): Promise<Date | null> {
    const [row] = await this.tx.query<{ lease_until: Date }>(
      'select lease_until from target where id = $1 and lease_until > now()',
      [id],
    );
    return row?.lease_until ?? null;
  }

  /** Prolongs a lease. False when it was lost: the work must stop. */
  async renew({ id, leaseToken }: LeasedTarget): Promise<boolean> {
    const rows = await this.tx.query(
      `update target set lease_until = now() + make_interval(secs => $3) where id = $1 and lease_token = $2 returning id`,
      [id, leaseToken, LEASE_SECONDS],
    );
    return rows.length === 1;
  }

  /** Locks the target like `isHeld`, if besides nobody has changed it since it was read: a new pin, other settings. */
  async mayAct({ id, leaseToken, revision }: LeasedTarget): Promise<boolean> {
    const rows = await this.tx.query(
      'select id from target where id = $1 and lease_token = $2 and revision = $3 for update',
      [id, leaseToken, revision],
    );
    return rows.length === 1;
  }

  /** Locks the target like `isHeld`, if besides it still stands for the place at its store that was looked at. */
  async isSamePlace({ id, leaseToken, storeItemId, crxId, channel }: LeasedTarget): Promise<boolean> {
    const rows = await this.tx.query(
      `select id from target where id = $1 and lease_token = $2 and ${samePlace(3)} for update`,
      [id, leaseToken, storeItemId, crxId, channel],
    );
    return rows.length === 1;
  }

  /** Locks the target for the transaction under way, if the lease is still held. */
  async isHeld({ id, leaseToken }: LeasedTarget): Promise<boolean> {
    const rows = await this.tx.query('select id from target where id = $1 and lease_token = $2 for update', [
      id,
      leaseToken,
    ]);
    return rows.length === 1;
  }

  /**
   * Notes by which key the store's own id has a target's item compared with others.
   * @returns false when another enabled target stands for that item; then nothing was written
   */
  async identify({ id, leaseToken, storeItemId }: LeasedTarget, itemKey: string): Promise<boolean> {
    const isTaken = new Error('Another enabled target has the item');
    const note = (): Promise<unknown> =>
      this.tx.query('update target set item_key = $4 where id = $1 and lease_token = $2 and store_item_id = $3', [
        id,
        leaseToken,
        storeItemId,
        itemKey,
      ]);
    try {
      await onConstraint(note, { target_enabled_item_idx: () => isTaken });
    } catch (error) {
      if (error === isTaken) return false;
      throw error;
    }
    return true;
  }

  /** Whether another enabled target of the tenant is known to stand for an item. */
  async isDrivenByAnother({ id, tenantId, store }: KnownTarget, itemKey: string): Promise<boolean> {
    if (tenantId === null) return false;
    const where = { id: Not(id), tenantId, store, itemKey, enabled: true };
    return this.tx.repository(TargetEntity).existsBy(where);
  }

  /** Whether the lease is still held at this moment; for calls to the outside, which lock nothing. */
  async stillHolds({ id, leaseToken }: LeasedTarget): Promise<boolean> {
    const rows = await this.tx.query('select id from target where id = $1 and lease_token = $2', [id, leaseToken]);
    return rows.length === 1;
  }

  /** The target as it stands, under the lease; null when the lease was lost or the target is gone. */
  async reload({ id, leaseToken }: Pick<LeasedTarget, 'id' | 'leaseToken'>): Promise<LeasedTarget | null> {
    const row = await this.tx.repository(TargetEntity).findOneBy({ id, leaseToken });
    return row === null ? null : { ...row, leaseToken };
  }

  /**
   * Writes what became of a target, inside the transaction under way. A change that a customer made meanwhile, of its settings, its pin or
   * its credential, is not overwritten: it left the target due at once. Nor are versions of another place noted.
   * @returns false when the lease was lost; then nothing was written
   */
  async settle(target: LeasedTarget, update: TargetUpdate): Promise<boolean> {
    const { id, leaseToken, revision, storeItemId, crxId, channel } = target;
    const isUnchanged = 'revision = $3';
    const isSamePlace = samePlace(15);
    const rows = await this.tx.query(
      `update target
          set live_version = case when ${isSamePlace} then $4 else live_version end,
              submitted_version = case when ${isSamePlace} then $5 else submitted_version end,
              checked_at = $6, not_before = $7,
              phase = case when ${isUnchanged} then $8 else phase end,
              message = case when ${isUnchanged} then $9 else message end,
              desired_version = case when ${isUnchanged} then $10 else desired_version end,
              next_check_at = case when ${isUnchanged} then $11 else next_check_at end,
              failures = case when ${isUnchanged} then $12 else failures end,
              looks = case when ${isUnchanged} then $13 else looks end,
              tracks = case when ${isUnchanged} then $14::jsonb else tracks end,
              waiting_since = case when ${isUnchanged} then $18 else waiting_since end,
              stall_told_at = case when ${isUnchanged} then $19 else stall_told_at end
        where id = $1 and lease_token = $2 returning id`,
      [
        id,
        leaseToken,
        revision,
        update.liveVersion,
        update.submittedVersion,
        update.checkedAt,
        update.notBefore,
        update.phase,
        update.message,
        update.desiredVersion,
        update.nextCheckAt,
        update.failures,
        update.looks,
        JSON.stringify(update.tracks),
        storeItemId,
        crxId,
        channel,
        update.waitingSince,
        update.stallToldAt,
      ],
    );
    return rows.length === 1;
  }

  /** A request to release a version is for one submission of it: ends it, under the lease and inside the transaction under way. */
  async endReleaseRequest({ id, leaseToken }: LeasedTarget, version: string): Promise<void> {
    await this.tx.query(
      'update target set release_requested = null where id = $1 and lease_token = $2 and release_requested = $3',
      [id, leaseToken, version],
    );
  }

  /** When the next target is due that nobody works on; null when none will ever be. */
  async nextDue(): Promise<Date | null> {
    const [row] = await this.tx.query<{ due: Date | null }>(
      'select min(next_check_at) as due from target where next_check_at is not null and (lease_until is null or lease_until <= now())',
    );
    return row?.due ?? null;
  }

  async release({ id, leaseToken }: Pick<LeasedTarget, 'id' | 'leaseToken'>): Promise<void> {
    await this.tx.query(
      'update target set lease_token = null, lease_until = null, lease_boot = null where id = $1 and lease_token = $2',
      [id, leaseToken],
    );
  }

  /** Frees what earlier processes held. Only right where no other process can be alive: on the embedded database. */
  async freeEarlierBoots(): Promise<void> {
    await this.tx.query(
      'update target set lease_token = null, lease_until = null, lease_boot = null where lease_boot is not null and lease_boot <> $1',
      [this.boot],
    );
  }

  /** The choice is an array, which is made once: as a joined subquery it may be made anew for each row, and take more than one. */
  private async claim(condition: string, parameters: readonly unknown[]): Promise<LeasedTarget | null> {
    const [claimed] = await this.tx.query<Pick<LeasedTarget, 'id' | 'leaseToken'>>(
      `update target
          set lease_token = gen_random_uuid(), lease_boot = $1, lease_until = now() + interval '${LEASE_SECONDS} seconds'
        where id = any(array(select id from target where (lease_until is null or lease_until <= now()) and ${condition}))
        returning id, lease_token as "leaseToken"`,
      [this.boot, ...parameters],
    );
    return claimed === undefined ? null : this.reload(claimed);
  }
}
