import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideActivation, type SeatFacts } from './activation-rule.js';
import { decideClaims, type SeatClaim } from './seat-claims.js';
import type { LicenseFacts, LiveSeat, SeatLookupWithLive } from './seats.repository.js';

const NOW = new Date('2027-01-31T12:00:00Z');
const DAY = 86_400_000;
const EXTENSION = { isEnabled: true, offlineGraceDays: 7, keyId: null };

const seat = fc.record({ idleDays: fc.integer({ min: 0, max: 60 }), isEnded: fc.boolean() });
const license = fc.record({
  maxActivations: fc.integer({ min: 1, max: 4 }),
  seatIdleDays: fc.option(fc.constantFrom(7, 30)),
  isSuspended: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  // Either of two seats that are idle for equally long may end.
  seats: fc.uniqueArray(seat, { selector: ({ idleDays }) => idleDays, maxLength: 5 }),
});
const claimed = fc.array(fc.record({ at: fc.nat(1), device: fc.nat(7) }), { minLength: 1, maxLength: 20 });

describe('claims that share a transaction', () => {
  it('get the same answers and leave the same seats as one after another', () => {
    fc.assert(
      fc.property(fc.tuple(license, license), claimed, (licenses, asked) => {
        const facts = licenses.map(({ isSuspended, maxActivations, seatIdleDays }): Omit<LicenseFacts, 'used'> => ({
          id: randomUUID(),
          revokedAt: null,
          suspendedFor: isSuspended ? ['tenant'] : [],
          expiresAt: null,
          tier: 'pro',
          codePepper: 'k1',
          maxActivations,
          seatIdleDays,
        }));
        // Each license's seats by device, as they stand before and as one claim after another changes them.
        const seats = licenses.map(
          (each) =>
            new Map(
              each.seats.map(({ idleDays, isEnded }, device): [number, SeatFacts] => [
                device,
                {
                  id: randomUUID(),
                  lastSeenAt: new Date(NOW.getTime() - idleDays * DAY),
                  endedAt: isEnded ? NOW : null,
                },
              ]),
            ),
        );
        const liveOf = (at: number): [number, SeatFacts][] =>
          [...(seats[at] ?? [])].filter(([, { endedAt }]) => endedAt === null);
        const claims = asked.map(({ at, device }): SeatClaim => ({
          extensionId: 'an extension',
          digests: [],
          device: Buffer.from([device]),
          licenseId: facts[at]?.id ?? '',
          label: null,
        }));
        const found = asked.map(({ at, device }): SeatLookupWithLive => {
          const own = seats[at]?.get(device);
          return {
            extension: EXTENSION,
            license: { ...(facts[at] as LicenseFacts), used: liveOf(at).length },
            seat: own === undefined ? null : { ...own, label: null },
            live: liveOf(at).map(([holder, each]): LiveSeat => ({
              ...each,
              device: Buffer.from([holder]).toString('hex'),
            })),
          };
        });

        const before = [0, 1].map(liveOf);
        const { outcomes, ended, seated } = decideClaims(claims, found, NOW);

        asked.forEach(({ at, device }, place) => {
          const [rules, own] = [facts[at] as LicenseFacts, seats[at]?.get(device) ?? null];
          const decision = decideActivation(
            rules,
            rules,
            own,
            liveOf(at).map(([, each]) => each),
            NOW,
          );
          if (decision.act === 'seat') {
            for (const [holder, each] of liveOf(at))
              if (decision.ending.includes(each.id)) seats[at]?.set(holder, { ...each, endedAt: NOW });
            seats[at]?.set(device, { id: own?.id ?? randomUUID(), lastSeenAt: NOW, endedAt: null });
          }
          expect(outcomes[place]).toMatchObject({ reason: decision.reason, license: { used: liveOf(at).length } });
        });
        for (const at of [0, 1]) {
          const staying = (before[at] ?? []).filter(([, { id }]) => !ended.includes(id)).map(([device]) => device);
          const written = seated.filter(({ licenseId }) => licenseId === facts[at]?.id).map(({ device }) => device[0]);
          expect(new Set([...staying, ...written])).toEqual(new Set(liveOf(at).map(([device]) => device)));
        }
      }),
    );
  });
});
