import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { CallGate } from '../reconcile/call-gate.js';
import type { Api } from '../support/api.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { TestControl } from '../support/keys.js';
import { startService, type Service } from '../support/process.js';
import { createSandbox } from '../support/app.js';

/** What a service on a database server must be given. */
export const SECRETS = {
  TOKEN_SECRET: randomBytes(32).toString('hex'),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  CODE_PEPPERS: `k1:${randomBytes(32).toString('base64')}`,
};

const LATER = new URL('../support/later.mjs', import.meta.url).href;

/** Whether the tests run on a database server and not on the embedded one. */
export const isOnServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';

type Settings = Readonly<Record<string, string>>;

/** How a process starts. */
interface Start {
  /** Settings beyond the usual ones. */
  readonly settings?: Settings;
  /** Does only what it is asked for, so that a test can bring it to a certain point. */
  readonly byHand?: boolean;
  /** For how long the power was away, by the clocks of the machine and of the stores. */
  readonly afterMinutes?: number;
}

const BY_HAND: Settings = { RECONCILE_EVERY_SECONDS: '86400' };

/** A machine with a service on it, a process like an operator's, that survives its end: the folder, the database, the stores. */
export class Machine {
  private aheadMs = 0;

  private constructor(
    readonly dataDir: string,
    private readonly database: TestDatabase | null,
    private readonly sandbox: Sandbox,
    readonly gate: CallGate,
    private readonly settings: Settings,
    private running: Service,
  ) {}

  /** On the database under test: embedded, or on the server. */
  static async start(how: Pick<Start, 'byHand' | 'settings'> = {}): Promise<Machine> {
    const [dataDir, database, sandbox, gate] = await Promise.all([
      mkdtemp(join(tmpdir(), 'pierhead-machine-')),
      isOnServer ? newDatabase() : null,
      createSandbox(),
      CallGate.start(),
    ]);
    gate.leadTo(sandbox.url);
    const settings = { ...environment(dataDir, database), ...sandbox.env, ...gate.env, ...how.settings };
    const service = await startService({ ...settings, ...(how.byHand === true ? BY_HAND : {}) });
    return new Machine(dataDir, database, sandbox, gate, settings, service);
  }

  get service(): Service {
    return this.running;
  }

  /** The service as it runs now, with the stores behind it. */
  get world(): { api: Api; url: string; sandbox: Sandbox; control: TestControl } {
    const { api, url } = this.running;
    return { api, url, sandbox: this.sandbox, control: new TestControl(this.sandbox.url) };
  }

  /** Starts a second process beside the first. */
  another({ byHand = false }: Pick<Start, 'byHand'> = {}): Promise<Service> {
    const later = { NODE_OPTIONS: `--import=${LATER}`, CLOCK_AHEAD_MS: String(this.aheadMs) };
    return startService({ ...this.settings, ...(byHand ? BY_HAND : {}), ...(this.aheadMs > 0 ? later : {}) });
  }

  /** Ends the process, if it has not ended yet, as a power cut would, and starts the next. */
  async restart({ byHand = false, afterMinutes = 0 }: Start = {}): Promise<void> {
    await this.running.kill();
    await this.expireLocks();
    this.aheadMs += afterMinutes * 60_000;
    await this.world.control.advance(afterMinutes * 60);
    this.running = await this.another({ byHand });
  }

  async close(): Promise<void> {
    await this.running.kill();
    await this.gate.close();
    await this.sandbox.close();
    await this.database?.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** On a server, what a killed process had locked is free again after 20 seconds; here they are over. */
  private async expireLocks(): Promise<void> {
    if (this.database === null) return;
    const client = new pg.Client(this.database.url);
    await client.connect();
    for (const table of ['target_status', 'license_import', 'listing_reading'])
      await client.query(`update ${table} set lease_until = now() where lease_until is not null`);
    await client.end();
  }
}

const environment = (dataDir: string, database: TestDatabase | null): Settings => ({
  DATA_DIR: dataDir,
  ...(database === null ? {} : { DATABASE_URL: database.url, ...SECRETS }),
  SIGNUP: 'open',
  RATE_LIMITS: 'off',
  TENANT_QUOTAS: 'unlimited:0',
  DEFAULT_TENANT_QUOTA: 'unlimited',
  RECONCILE_EVERY_SECONDS: '1',
  REVIEW_CHECK_SECONDS: '1',
  RECONCILE_CONCURRENCY: '8',
});
