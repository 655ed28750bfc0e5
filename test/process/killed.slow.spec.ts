import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Api } from '../support/api.js';
import { expectStatus, Given, type Licensed, type Tenant } from '../support/given.js';
import { Machine } from './machine.js';

/** Who ask at the same time, each one request after the other: so many seat devices, and as many ping. */
const ASKERS = 8;
/** Answers of each kind after which the process is killed, anew after each start. */
const ANSWERS = [20, 40, 60];
/** Seats of the licenses: some are full long before the end. */
const SEATS = [1, 3, 10, 100, 100, 100];
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

/** A device that asked for a seat. */
interface Device {
  readonly license: Licensed;
  readonly fingerprint: string;
}

/** What was asked of the service, and what it has answered with success. */
class Ledger {
  readonly seated: Device[] = [];
  readonly counted: string[] = [];
  readonly devices: Device[] = [];
  readonly installs: string[] = [];
  /** Requests that nothing answered any more. */
  cutOff = 0;
}

describe('a process that is killed under load', () => {
  let machine: Machine;
  let owner: Tenant;
  let extensionId: string;
  let licenses: readonly Licensed[];
  const ledger = new Ledger();
  beforeAll(async () => {
    machine = await Machine.start({ settings: { ANALYTICS_EVERY_SECONDS: '1' } });
    const given = new Given(machine.world.api, machine.world.control);
    owner = await given.tenant();
    extensionId = await given.extension(owner);
    const made: Licensed[] = [];
    for (const maxActivations of SEATS) made.push(await given.licensed({ extensionId, maxActivations }, owner));
    licenses = made;
    for (const answers of ANSWERS) {
      await dieAfter(answers);
      await machine.restart();
    }
  });
  afterAll(() => machine.close());

  const activate = (api: Api, { license, fingerprint }: Device): Promise<Answer> =>
    api.post('/licensing/activate', { code: license.code, extensionId, fingerprint });
  const ping = (api: Api, installId: string): Promise<Answer> =>
    api.post('/analytics/ping', { extensionId, installId, version: '1.0.0' }, { headers: { 'user-agent': CHROME } });
  const used = async ({ licenseId }: Licensed) =>
    expectStatus(await machine.world.api.as(owner).get(`/licenses/${licenseId}`), 200).body;
  /** How many different installs the report knows of. */
  const known = async (): Promise<number> =>
    expectStatus(await machine.world.api.as(owner).get(`/extensions/${extensionId}/analytics`), 200).body.days.at(-1)
      .unique28;

  /** Lets everybody ask until so many have been answered, and then ends the process while all others wait. */
  const dieAfter = async (answers: number): Promise<void> => {
    const { service } = machine;
    const { api } = service;
    const until = { seated: ledger.seated.length + answers / 2, counted: ledger.counted.length + answers };
    const end = new AbortController();
    /** Asks and notes, again and again; comes back when enough were answered, and goes on asking until nobody answers. */
    const askOn = (asks: () => Promise<void>, isEnough: () => boolean): Promise<void> =>
      new Promise((enough, failed) => {
        const again = async (): Promise<void> => {
          while (!end.signal.aborted) {
            await asks();
            if (isEnough()) enough();
          }
        };
        again().catch((error: unknown) => {
          if (!end.signal.aborted) failed(error);
          ledger.cutOff += 1;
        });
      });
    const seating = async (): Promise<void> => {
      const license = licenses[ledger.devices.length % licenses.length];
      if (license === undefined) throw new Error('There is no license');
      const device = { license, fingerprint: randomUUID() };
      ledger.devices.push(device);
      // Twice at once, as a device does that is impatient: it must have one seat.
      const answered = await Promise.all([activate(api, device), activate(api, device)]);
      if (answered.some(({ status, body }) => status === 200 && body.success === true)) ledger.seated.push(device);
    };
    const pinging = async (): Promise<void> => {
      const installId = randomUUID();
      ledger.installs.push(installId);
      if ((await ping(api, installId)).status === 202) ledger.counted.push(installId);
    };
    await Promise.all(
      Array.from({ length: ASKERS }, () => [
        askOn(seating, () => ledger.seated.length >= until.seated),
        askOn(pinging, () => ledger.counted.length >= until.counted),
      ]).flat(),
    );
    end.abort();
    await service.kill();
  };

  it('was handling requests', () => {
    expect(ledger.seated.length).toBeGreaterThanOrEqual(60);
    expect(ledger.counted.length).toBeGreaterThanOrEqual(120);
    expect(ledger.cutOff).toBeGreaterThan(0);
  });

  it('has lost no seat that it had acknowledged, doubled none, and seated nobody beyond the limit', async () => {
    const { api } = machine.world;
    const checked = await Promise.all(
      ledger.seated.map(({ license, fingerprint }) =>
        api.post('/licensing/check', { code: license.code, extensionId, fingerprint }),
      ),
    );
    for (const { status, body } of checked)
      expect({ status, body }).toMatchObject({ status: 200, body: { isActive: true, reason: 'active' } });
    for (const [at, license] of licenses.entries()) {
      const { seats, devices } = await used(license);
      const own = ({ license: of }: Device): boolean => of === license;
      expect(devices).toHaveLength(seats.used);
      expect(seats).toEqual({ used: expect.any(Number), max: SEATS[at] });
      expect(seats.used).toBeLessThanOrEqual(seats.max);
      expect(seats.used).toBeGreaterThanOrEqual(ledger.seated.filter(own).length);
      expect(seats.used).toBeLessThanOrEqual(ledger.devices.filter(own).length);
    }
    const before = await Promise.all(licenses.map(used));
    const again = await Promise.all(ledger.seated.map((device) => activate(api, device)));
    for (const { body } of again) expect(body).toMatchObject({ success: true });
    expect((await Promise.all(licenses.map(used))).map(({ seats }) => seats)).toEqual(before.map(({ seats }) => seats));
  });

  it('has lost no install that it had acknowledged, and counts none twice', async () => {
    const before = await known();
    expect(before).toBeGreaterThanOrEqual(ledger.counted.length);
    expect(before).toBeLessThanOrEqual(ledger.installs.length);
    // An install that was lost would be another one now.
    const again = await Promise.all(ledger.counted.map((installId) => ping(machine.world.api, installId)));
    for (const answer of again) expectStatus(answer, 202);
    expect(await known()).toBe(before);
  });
});
