import type { World } from '../support/app.js';
import type { Answer } from '../support/api.js';
import { expectStatus, type Licensed, type Tenant } from '../support/given.js';
import { expectOneOf, type Cast } from './acts.js';
import type { SimulatedDatabase } from './database.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SEATS = 3;
const DEVICES = 6;
/** Of a seat that another device may take: shorter than the service's thirty days, for the clocks of its replicas differ. */
const SAFE_MS = 28 * DAY;
/** What becomes of a seat that its device gave back. */
const FREE = 'a seat that was given back is free';
/** What names no browser is no install. */
const BROWSER = { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' } };
/** Reports cover as many days. */
const REPORTED_DAYS = 28;

const MOST_SEATS = `
  select count(*)::int as used from seat where ended_at is null group by license_id order by 1 desc limit 1`;

/** What a device knows of its seat: `unknown` while a request of it was not answered. */
interface Device {
  readonly fingerprint: string;
  seat: 'held' | 'none' | 'unknown';
  seenAt: number;
  /** Whether it may have had one. */
  isKnown: boolean;
}

/** The devices of buyers: they take seats, keep them alive, give them back and tell that they are in use. */
export class Devices {
  private readonly devices: readonly Device[];
  /** Installs that pinged, by day: those that were answered, and all. */
  private readonly answered = new Map<string, Set<string>>();
  private readonly sent = new Map<string, Set<string>>();

  private constructor(
    private readonly cast: Cast,
    private readonly world: World,
    private readonly database: SimulatedDatabase,
    private readonly license: Licensed,
  ) {
    this.devices = Array.from({ length: DEVICES }, (_, at) => ({
      fingerprint: `device ${at}`,
      seat: 'none',
      seenAt: 0,
      isKnown: false,
    }));
  }

  static async begin(cast: Cast, world: World, database: SimulatedDatabase, tenant: Tenant): Promise<Devices> {
    const license = await world.given.licensed({ maxActivations: SEATS }, tenant);
    const counts = { analytics: { enabled: true } };
    expectStatus(await world.api.as(tenant).patch(`/extensions/${license.extensionId}`, counts), 200);
    return new Devices(cast, world, database, license);
  }

  live(): void {
    for (const [at, device] of this.devices.entries())
      this.cast.acts(`device ${at}`, 4 * DAY, async ({ random }) => {
        const act = random.weighted({ activate: 3, check: 6, release: 1, ping: 5 });
        if (act === 'ping') await this.ping(device, random.below(3));
        else await this.ask(act, device);
      });
    this.cast.acts('inspector', 2 * DAY, () => this.inspect());
  }

  /** More devices come than there are seats; one of them gives its own back, and another one takes it. */
  async settle(): Promise<void> {
    await this.inspect();
    for (const device of this.devices) await this.ask('activate', device, 'patiently');
    await this.inspect();
    for (const device of this.devices) await this.ask('check', device, 'patiently');
    const leaver = this.devices.find(({ seat }) => seat === 'held');
    const next = this.devices.find(({ seat }) => seat === 'none');
    if (leaver !== undefined && next !== undefined) await this.passOn(leaver, next);
    await this.inspect();
    while (this.isNearMidnight) await this.cast.kernel.pause(HOUR, 'midnight passes');
    for (const device of this.devices) await this.ping(device, 1);
    await this.cast.kernel.pause(DAY, 'the day of the report is over');
    await this.countedOnce();
  }

  private async passOn(leaver: Device, next: Device): Promise<void> {
    await this.ask('release', leaver, 'patiently');
    await this.ask('check', leaver, 'patiently');
    await this.ask('activate', next, 'patiently');
    this.cast.judge(FREE, next.seat === 'held', `${next.fingerprint} did not get the seat that was given back`);
  }

  private async ask(
    act: 'activate' | 'check' | 'release',
    device: Device,
    how: 'once' | 'patiently' = 'once',
  ): Promise<void> {
    const { kernel } = this.cast;
    const { code, extensionId } = this.license;
    const before = device.seat;
    const isSafe = before === 'held' && kernel.nowMs - device.seenAt < SAFE_MS;
    const body = { code, extensionId, fingerprint: device.fingerprint };
    if (act !== 'check') device.seat = 'unknown';
    if (act === 'activate') device.isKnown = true;
    // One that never had a seat has none to give back.
    const hadNone = act === 'release' && !device.isKnown;
    const statuses = hadNone ? [404] : act === 'release' && before !== 'held' ? [200, 404] : [200];
    const ask = async (): Promise<Answer> =>
      expectOneOf(await this.world.api.post(`/licensing/${act}`, body), ...statuses);
    const answer = await this.cast[how](`${act} of ${device.fingerprint}`, ask);
    if (answer === null) return;
    if (act === 'release') device.seat = 'none';
    else this.heard(device, answer.body, { isSafe, wasNone: act === 'check' && before === 'none' });
  }

  private heard(
    device: Device,
    { isActive, reason }: { readonly isActive: boolean; readonly reason: string },
    { isSafe, wasNone }: { readonly isSafe: boolean; readonly wasNone: boolean },
  ): void {
    this.cast.judge('a device keeps its seat', !isSafe || isActive, `${device.fingerprint} lost it: ${reason}`, isSafe);
    this.cast.judge(FREE, !wasNone || !isActive, `${device.fingerprint} has a seat that it gave back`, wasNone);
    device.seat = isActive ? 'held' : 'none';
    device.seenAt = this.cast.kernel.nowMs;
  }

  /** Near midnight, the clock of the replica that counts may be on another day. */
  private get isNearMidnight(): boolean {
    const hour = new Date(this.cast.kernel.nowMs).getUTCHours();
    return hour < 1 || hour > 22;
  }

  private async ping({ fingerprint: installId }: Device, repetitions: number): Promise<void> {
    if (this.isNearMidnight) return;
    const { kernel } = this.cast;
    const day = new Date(kernel.nowMs).toISOString().slice(0, 10);
    const note = (into: Map<string, Set<string>>): void =>
      void into.set(day, (into.get(day) ?? new Set()).add(installId));
    note(this.sent);
    const body = { installId, extensionId: this.license.extensionId, version: '1.0.0' };
    for (let times = repetitions; times >= 0; times -= 1) {
      const ping = async (): Promise<Answer> =>
        expectStatus(await this.world.api.post('/analytics/ping', body, BROWSER), 202);
      if ((await this.cast.once('a ping', ping)) !== null) note(this.answered);
    }
  }

  private async inspect(): Promise<void> {
    const [{ used } = { used: 0 }] = (await this.database.look<{ readonly used: number }>(MOST_SEATS)) ?? [];
    const how = `${used} devices have one of ${SEATS} seats`;
    this.cast.judge('no license has more devices than seats', used <= SEATS, how, used >= SEATS);
  }

  /** Each install counts once on each day on which it pinged. */
  private async countedOnce(): Promise<void> {
    const path = `/extensions/${this.license.extensionId}/analytics`;
    const report = async (): Promise<readonly { readonly date: string; readonly active: number }[]> =>
      expectStatus(await this.world.api.as(this.license).get(path), 200).body.days;
    const days = (await this.cast.patiently('a report', report)).slice(-REPORTED_DAYS);
    for (const { date: day, active } of days) {
      const least = this.answered.get(day)?.size ?? 0;
      const most = this.sent.get(day)?.size ?? 0;
      const how = `${active} installs are counted on ${day}, of ${least} to ${most} that pinged`;
      this.cast.judge('an install counts once a day', active >= least && active <= most, how, most > 0);
    }
  }
}
