import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { PaymentFact } from '../../src/payments/index.js';
import { leaseClaims } from '../../src/licensing/leases/lease.js';
import { statusOf, type LicenseState } from '../../src/licensing/licenses/license-status.js';
import { expiredFrom } from '../../src/licensing/plans/pure.js';
import { decideCheck, endShown, nextCheckAt } from '../../src/licensing/seats/activation-rule.js';
import { entitlementOf, type PaymentRecord } from '../../src/webhooks/ledger/apply-payment.js';
import { EMPTY_LEDGER, recordFact } from '../../src/webhooks/ledger/payment-ledger.js';
import { changeByPayments, leewayOf } from '../../src/webhooks/purchases/license-change.js';
import { PROCESSOR_IDS } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { factsOf } from '../support/interpreted.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { subscriptionLife, type Notification, type Sale } from '../support/purchases.js';

const SALE: Sale = { tag: 'a', email: 'ada@buyer.example', at: new Date('2027-01-01T00:00:00Z') };
const LEEWAY_HOURS = 72;
const after = (hours: number): Date => new Date(SALE.at.getTime() + hours * HOUR);

/** What a processor tells, and how many hours after the sale it arrives. */
interface Telling {
  readonly hours: number;
  readonly told: readonly Notification[];
}

type License = LicenseState & { readonly revokedFor: null };

/** The license at a time, as the notifications that have arrived until then make it. */
function licenseAt(
  time: Date,
  tellings: readonly Telling[],
  read: (told: readonly Notification[]) => readonly PaymentFact[],
  graceDays: number,
): License {
  const terms = { revokedAt: null, revokedFor: null, suspendedFor: [], graceDays, onEnd: 'expire' } as const;
  let ledger = EMPTY_LEDGER;
  let license: License | null = null as License | null;
  let before: PaymentRecord | null = null;
  for (const { told } of tellings.filter(({ hours }) => after(hours) <= time)) {
    ledger = read(told).reduce(recordFact, ledger);
    const paid = ledger.purchases[0]?.paid;
    if (paid === undefined) throw new Error('Nothing is bought');
    const now = entitlementOf(paid, 7);
    license =
      license === null || before === null
        ? { ...terms, expiresAt: now.expiresAt, renewalLeewayHours: leewayOf(now, now.expiresAt, LEEWAY_HOURS) }
        : {
            ...license,
            ...(changeByPayments(license, entitlementOf(before, 7), now, null, LEEWAY_HOURS, time) as Partial<License>),
          };
    before = paid;
  }
  if (license === null) throw new Error('No license is issued');
  return license;
}

/** Until when a device that checks at a time may go on without asking again, and when it asks. */
function promiseAt(
  time: Date,
  license: License,
  offlineGraceDays: number,
): { readonly validUntil: Date; readonly next: Date } {
  const isActive = decideCheck(license, { id: 'own', lastSeenAt: time, endedAt: null }, time) === 'active';
  const facts = {
    isActive,
    expiresAt: expiredFrom(license),
    offlineGraceDays,
    licenseId: 'a',
    fingerprintHash: '',
    tier: 'pro',
  };
  const rest = {
    issuer: '',
    extensionId: '',
    reason: 'active',
    entitlements: [],
    updatesUntil: null,
    nonce: null,
  } as const;
  const { exp, act } = leaseClaims({ ...facts, ...rest }, Math.floor(time.getTime() / 1000));
  expect(act).toBe(isActive);
  return {
    validUntil: new Date(exp * 1000),
    next: nextCheckAt(time, 128, endShown(license, isActive, time).expiresAt),
  };
}

describe.each(PROCESSOR_IDS)('a subscriber of %s', (id) => {
  const read = (told: readonly Notification[]) => factsOf(id, told);
  const moments = fc.array(fc.integer({ min: 0, max: 200 * 24 }), { minLength: 1, maxLength: 20 });
  const lateness = fc.array(fc.integer({ min: 0, max: LEEWAY_HOURS - 1 }), { minLength: 5, maxLength: 5 });
  const paidMonths = (count: number, late: readonly number[]): readonly Telling[] =>
    Array.from({ length: count }, (_, at) => ({
      hours: at * 30 * 24 + (at === 0 ? 0 : (late[at] ?? 0)),
      told: FULL_SIZE[id].paidMonth(SALE, at + 1),
    }));

  it('who pays is never told that the license expired, whoever is late or offline', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        lateness,
        moments,
        fc.nat(14),
        fc.nat(7),
        (count, late, hours, offline, grace) => {
          const end = count * 30 * 24;
          for (const hour of hours.filter((one) => one < end + LEEWAY_HOURS)) {
            const time = after(hour);
            const license = licenseAt(time, paidMonths(count, late), read, grace);
            expect(statusOf(license, time)).toBe('active');
            const { validUntil, next } = promiseAt(time, license, offline);
            expect(next > time).toBe(true);
            // No lease is cut at a paid end that is about to be renewed, and none outlives the leeway.
            const paidEnd = license.expiresAt ?? time;
            expect(validUntil).toEqual(
              new Date(
                Math.min(
                  time.getTime() + offline * DAY,
                  paidEnd.getTime() + Math.max(LEEWAY_HOURS * HOUR, grace * DAY),
                ),
              ),
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of whose renewal nothing is heard is told so after the leeway, and not later', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), lateness, fc.integer({ min: 0, max: 900 }), (count, late, hours) => {
        const time = after(count * 30 * 24 + LEEWAY_HOURS + hours);
        expect(statusOf(licenseAt(time, paidMonths(count, late), read, 0), time)).toBe('expired');
      }),
      { numRuns: 60 },
    );
  });

  it('who cancelled is active up to the paid end and the days of grace, and no hour longer', () => {
    const life = [{ hours: 0, told: subscriptionLife(id, SALE) }];
    fc.assert(
      fc.property(fc.integer({ min: 80 * 24, max: 110 * 24 }), fc.nat(7), fc.nat(14), (hours, grace, offline) => {
        const time = after(hours);
        const license = licenseAt(time, life, read, grace);
        const end = (90 + grace) * 24;
        expect(license).toMatchObject({ expiresAt: after(90 * 24), renewalLeewayHours: null });
        expect(statusOf(license, time)).toBe(hours < end ? 'active' : 'expired');
        if (hours < end) expect(promiseAt(time, license, offline).validUntil <= after(end)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
