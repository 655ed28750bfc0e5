import { randomUUID } from 'node:crypto';
import { decodeJwt, type JWTPayload } from 'jose';
import type { Answer } from '../support/api.js';
import { DataSource, type World } from '../support/app.js';
import { expectStatus, type Licensed, type Tenant } from '../support/given.js';

/** Fields that a test sends besides the required ones. */
type Extra = Readonly<Record<string, unknown>>;

/** A license and the devices of its buyer. */
export class Shop {
  private constructor(
    private readonly world: World,
    readonly license: Licensed,
  ) {}

  static async open(
    world: World,
    wish: Parameters<World['given']['licensed']>[0] = {},
    tenant?: Tenant,
  ): Promise<Shop> {
    return new Shop(world, await world.given.licensed(wish, tenant));
  }

  /** The same license, through another process. */
  through(world: World): Shop {
    return new Shop(world, this.license);
  }

  get licenseId(): string {
    return this.license.licenseId;
  }

  get extensionId(): string {
    return this.license.extensionId;
  }

  /** A new device that holds a seat. */
  async seated(): Promise<string> {
    const fingerprint = randomUUID();
    const { body } = expectStatus(await this.activate(fingerprint), 200);
    if (body.success !== true) throw new Error(`Not seated: ${body.reason}`);
    return fingerprint;
  }

  activate(fingerprint: string, extra: Extra = {}): Promise<Answer> {
    return this.ask('activate', fingerprint, extra);
  }

  check(fingerprint: string, extra: Extra = {}): Promise<Answer> {
    return this.ask('check', fingerprint, extra);
  }

  release(fingerprint: string, extra: Extra = {}): Promise<Answer> {
    return this.ask('release', fingerprint, extra);
  }

  /** Sends a request of the tenant. */
  mine(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.world.api.as(this.license).call(method, path, body);
  }

  /** Number of live seats, as the tenant sees it. */
  async used(): Promise<number> {
    const { body } = expectStatus(await this.mine('GET', `/licenses/${this.licenseId}`), 200);
    if (body.devices.length !== body.seats.used) throw new Error('The devices are not as many as the seats');
    return body.seats.used;
  }

  private ask(what: string, fingerprint: string, extra: Extra): Promise<Answer> {
    const { code, extensionId } = this.license;
    return this.world.api.post(`/licensing/${what}`, { code, extensionId, fingerprint, ...extra });
  }
}

/** Whether the tests run on a database server. The embedded database runs one transaction at a time, so that none can hold a lock there. */
export const onServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';

/** Returns once so many transactions wait for a lock of another one. */
export async function untilWaiting(world: World, transactions = 1): Promise<void> {
  const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const source = world.app.get(DataSource);
  while ((await source.query<object[]>(text)).length < transactions) await new Promise(setImmediate);
}

/** The claims of a lease, without checking its signature. */
export const claimsOf = ({ body }: Answer): JWTPayload => decodeJwt(body.lease);
