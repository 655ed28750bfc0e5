import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { LICENSE_STATUSES, statusOf, SUSPENSIONS } from '../../src/licensing/licenses/license-status.js';
import { DAY_MS, HOUR_MS } from '../../src/common/system/index.js';
import { ON_END } from '../../src/licensing/plans/pure.js';
import { DataSource, startWorld, type World } from '../support/app.js';
import { Shop } from './shop.js';

/** Milliseconds from now: past, this very moment, future. */
const moment = fc.constantFrom(-1, 0, 1);

describe('the list of licenses with a status', () => {
  let world: World;
  let shop: Shop;
  beforeAll(async () => {
    world = await startWorld();
    shop = await Shop.open(world);
  });
  afterAll(() => world.close());

  it('holds in any state of a license exactly what statusOf gives that status', async () => {
    const state = fc.record({
      revokedIn: fc.option(moment),
      suspendedFor: fc.subarray([...SUSPENSIONS]),
      expiresIn: fc.option(moment),
      graceDays: fc.constantFrom(0, 3),
      onEnd: fc.constantFrom(...ON_END),
      leewayHours: fc.constantFrom(null, 0, 48, 96),
    });
    await fc.assert(
      fc.asyncProperty(state, async ({ revokedIn, suspendedFor, expiresIn, graceDays, onEnd, leewayHours }) => {
        const now = world.clock.now();
        const inMs = (ms: number | null): Date | null => (ms === null ? null : new Date(now.getTime() + ms));
        const revokedAt = inMs(revokedIn);
        const expiresAt =
          expiresIn === null ? null : inMs(expiresIn - Math.max(graceDays * DAY_MS, (leewayHours ?? 0) * HOUR_MS));
        await world.app
          .get(DataSource)
          .query(
            'update license set revoked_at = $2, suspended_for = $3, expires_at = $4, grace_days = $5, on_end = $6, renewal_leeway_hours = $7 where id = $1',
            [shop.licenseId, revokedAt, suspendedFor, expiresAt, graceDays, onEnd, leewayHours],
          );
        const expected = statusOf(
          { revokedAt, suspendedFor, expiresAt, graceDays, onEnd, renewalLeewayHours: leewayHours },
          now,
        );
        for (const status of LICENSE_STATUSES) {
          const { body } = await shop.mine('GET', `/licenses?status=${status}`);
          expect(body.items).toMatchObject(status === expected ? [{ id: shop.licenseId, status }] : []);
        }
      }),
      { numRuns: 60 },
    );
  });
});
