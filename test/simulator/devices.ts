import type { World } from '../support/app.js';
import { expectStatus, type Licensed, type Tenant } from '../support/given.js';
import { LawBroken, type Cast } from './acts.js';
import type { SimulatedDatabase } from './database.js';
import type { Random } from './random.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SEATS = 3;
const DEVICES = 6;
/** Of a seat that another device may take: shorter than the service's thirty days, for the clocks of its replicas differ. */
const SAFE_MS = 28 * DAY;
/** Reports cover as many days. */
const REPORTED_DAYS = 28;

const OVERSOLD = `
  select seat.license_id as id, count(*)::int as used from seat
   where ended_at is null group by 1 having count(*) > ${SEATS}`;

/** What a device knows of its seat: `unknown` while a request of it was not answered. */
interface Device {
  readonly fingerprint: string;
  seat: 'held' | 'none' | 'unknown';
  seenAt: number;
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
    }));
  }

  static async begin(cast: Cast, world: World, database: SimulatedDatabase, tenant: Tenant): Promise<Devices> {
    return new Devices(cast, world, database, await world.given.licensed({ maxActivations: SEATS }, tenant));
  }

  live(): void {
    for (const [at, device] of this.devices.entries())
      this.cast.acts(`device ${at}`, 4 * DAY, async ({ random }) => {
        const act = random.weighted({ activate: 3, check: 6, release: 1, ping: 5 });
        if (act === 'ping') await this.ping(device, random);
        else await this.ask(act, device);
      });
    this.cast.acts('inspector', 2 * DAY, () => this.inspect());
  }

  async settle(): Promise<void> {
    await this.inspect();
    for (const device of this.devices) {
      await this.cast.patiently('a last check', () => this.ask('check', device));
      if (device.seat === 'unknown') throw new LawBroken(`${device.fingerprint} does not know whether it has a seat`);
    }
    await this.countedOnce();
  }

  private async ask(act: 'activate' | 'check' | 'release', device: Device): Promise<void> {
    const { kernel } = this.cast;
    const { code, extensionId } = this.license;
    const before = device.seat;
    const isSafe = before === 'held' && kernel.nowMs - device.seenAt < SAFE_MS;
    if (act !== 'check') device.seat = 'unknown';
    try {
      const body = { code, extensionId, fingerprint: device.fingerprint };
      const answer = expectStatus(await this.world.api.post(`/licensing/${act}`, body), act === 'release' ? 204 : 200);
      if (act === 'release') device.seat = 'none';
      else this.heard(device, answer.body, { isSafe, wasNone: act === 'check' && before === 'none' });
    } catch (error) {
      if (error instanceof LawBroken) throw error;
      kernel.say(`${act} failed: ${error instanceof Error ? error.message.slice(0, 100) : ''}`);
    }
  }

  private heard(
    device: Device,
    { isActive, reason }: { readonly isActive: boolean; readonly reason: string },
    { isSafe, wasNone }: { readonly isSafe: boolean; readonly wasNone: boolean },
  ): void {
    if (isSafe && !isActive) throw new LawBroken(`${device.fingerprint} lost its seat: ${reason}`);
    if (wasNone && isActive) throw new LawBroken(`${device.fingerprint} has a seat that it gave back`);
    device.seat = isActive ? 'held' : 'none';
    device.seenAt = this.cast.kernel.nowMs;
  }

  private async ping({ fingerprint: installId }: Device, random: Random): Promise<void> {
    const { kernel } = this.cast;
    // Near midnight, the clock of the replica that counts may be on another day.
    const hour = new Date(kernel.nowMs).getUTCHours();
    if (hour < 1 || hour > 22) return;
    const day = new Date(kernel.nowMs).toISOString().slice(0, 10);
    const note = (into: Map<string, Set<string>>): void =>
      void into.set(day, (into.get(day) ?? new Set()).add(installId));
    note(this.sent);
    const body = { installId, extensionId: this.license.extensionId, version: '1.0.0' };
    for (let times = random.below(3); times >= 0; times -= 1)
      try {
        expectStatus(await this.world.api.post('/analytics/ping', body), 202);
        note(this.answered);
      } catch {
        kernel.say('a ping failed');
      }
  }

  private async inspect(): Promise<void> {
    const [found] = (await this.database.look<{ readonly used: number }>(OVERSOLD)) ?? [];
    if (found !== undefined) throw new LawBroken(`${found.used} devices have one of ${SEATS} seats`);
  }

  /** Each install counts once on each day on which it pinged. */
  private async countedOnce(): Promise<void> {
    const path = `/extensions/${this.license.extensionId}/analytics`;
    const report = async (): Promise<readonly { readonly day: string; readonly active: number }[]> =>
      expectStatus(await this.world.api.as(this.license).get(path), 200).body.days;
    const days = (await this.cast.patiently('a report', report)).slice(-REPORTED_DAYS);
    for (const { day, active } of days) {
      const least = this.answered.get(day)?.size ?? 0;
      const most = this.sent.get(day)?.size ?? 0;
      if (active < least || active > most)
        throw new LawBroken(`${active} installs are counted on ${day}, of ${least} to ${most} that pinged`);
    }
  }
}
