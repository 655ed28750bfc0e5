import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import passport from 'passport';
import { assembleSandbox, type AssembledSandbox } from '../../sandbox/sandbox.js';
import { makeApp } from '../../src/app.setup.js';
import { completeConfig, readEnvironment, type Config } from '../../src/common/config/index.js';
import { migrate } from '../../src/common/database/index.js';
import { WorkerThread, type ThreadTask } from '../../src/common/jobs/index.js';
import { makePino, PinoLog } from '../../src/common/observability/log.js';
import { Clock, MINUTE_MS } from '../../src/common/system/index.js';
import { describeApi } from '../../src/operations/documents/index.js';
import { verifyKeys } from '../../src/platform/keys/index.js';
import { Api } from '../support/api.js';
import type { SimulatedDatabase } from './database.js';
import { WORLD_FOLDER } from './disk.js';
import type { Kernel, Party } from './kernel.js';
import { ROW_LAWS_SQL } from './laws.js';
import type { Network } from './network.js';
import type { Post } from './post.js';
import type { Random } from './random.js';

export const STORES_HOST = '127.0.0.1:7001';
/** Where clients reach the service: a load balancer in front of the replicas. */
const SERVICE_HOST = '10.0.0.100:3000';
export const SERVICE_URL = `http://${SERVICE_HOST}`;
const DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/postgres';
const KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

/** A running copy of the service. */
export interface Replica {
  readonly host: string;
  readonly party: Party;
  readonly app: NestExpressApplication;
}

type Work = (input: never) => Promise<unknown>;

/** Calls the function of a task itself: what another thread does, and when, is none of the kernel's. */
class SimulatedThread extends WorkerThread {
  constructor(
    config: Config,
    private readonly kernel: Kernel,
  ) {
    super(config);
  }

  override run<F extends Work>({ file, name }: ThreadTask<F>, input: Parameters<F>[0]): ReturnType<F> {
    const loading = this.kernel.counting(() => import(file.href) as Promise<Readonly<Record<string, F>>>);
    return loading.then((loaded) => loaded[name]?.(input)) as ReturnType<F>;
  }
}

/** The service's replicas on one database, and the stores, all in one process. */
export class Stage {
  readonly replicas = new Map<number, Replica>();
  readonly log: string[] = [];
  document: OpenAPIObject | null = null;
  private starts = 0;
  /** Who registered each of Passport's strategies: its registry belongs to the process, and holds the application of each. */
  private readonly strategies = new Map<string, Party>();

  private constructor(
    readonly kernel: Kernel,
    readonly network: Network,
    readonly database: SimulatedDatabase,
    private readonly sandbox: AssembledSandbox,
    private readonly dataDir: string,
    private readonly mailEnv: Post['env'],
  ) {}

  static async set(kernel: Kernel, network: Network, post: Post, database: SimulatedDatabase): Promise<Stage> {
    const dataDir = await mkdtemp(join(tmpdir(), WORLD_FOLDER));
    const sandbox = await assembleSandbox(dataDir);
    network.serve(STORES_HOST, sandbox.server, kernel.party('stores'));
    network.takeOver();
    await migrate(DATABASE_URL);
    await database.prepare(ROW_LAWS_SQL);
    const stage = new Stage(kernel, network, database, sandbox, dataDir, post.env);
    const use = passport.use.bind(passport) as (...args: readonly unknown[]) => unknown;
    Object.assign(passport, {
      use: (...args: readonly unknown[]) => {
        const [name] = args;
        if (typeof name === 'string') stage.strategies.set(name, kernel.current);
        return use(...args);
      },
    });
    network.balanced.set(SERVICE_HOST, () => {
      const running = [...stage.replicas.values()];
      return running.length === 0 ? null : kernel.random.pick(running).host;
    });
    return stage;
  }

  /** Starts a replica under a number, in place of one that died. */
  async start(number: number, skewMs = 0): Promise<Replica> {
    const party = this.kernel.party(`replica ${number}.${(this.starts += 1)}`, skewMs);
    const host = `10.0.0.${number}:3000`;
    const app = await this.kernel.as(party, () => this.makeApp());
    const replica = { host, party, app };
    this.network.serve(host, app.getHttpServer(), party);
    this.replicas.set(number, replica);
    this.document ??= describeApi(app);
    return replica;
  }

  /** Ends a replica at this very moment, as a power cut does. */
  async kill(number: number): Promise<void> {
    const replica = this.replicas.get(number);
    if (replica === undefined) return;
    this.replicas.delete(number);
    this.kernel.die(replica.party);
    for (const [name, party] of this.strategies)
      if (party === replica.party && this.strategies.delete(name)) passport.unuse(name);
    this.network.remove(replica.host);
    await this.database.crash(replica.party);
  }

  /** A replica dies now, and another takes its number after a time. */
  async restart(number: number, dying: Party, afterMs: number, random: Random): Promise<void> {
    if (this.replicas.get(number)?.party !== dying) return;
    this.kernel.say(`replica ${number} dies`);
    await this.kill(number);
    await this.kernel.pause(afterMs, `replica ${number} comes back`);
    // Its own start may meet faults as well.
    for (;;) {
      try {
        await this.start(number, random.between(-2 * MINUTE_MS, 2 * MINUTE_MS));
        return;
      } catch (error) {
        this.kernel.say(`replica ${number} did not start: ${error instanceof Error ? error.message : String(error)}`);
        await this.kernel.pause(MINUTE_MS, 'another start');
      }
    }
  }

  /** The API at any replica that runs. */
  api(): Api {
    if (this.document === null) throw new Error('No replica has been started');
    return new Api(SERVICE_URL, this.document);
  }

  private logged(line: string): void {
    this.log.push(line);
    this.kernel.onLine?.(`log ${line.trimEnd()}`);
  }

  async strike(): Promise<void> {
    await this.sandbox.dispose();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async makeApp(): Promise<NestExpressApplication> {
    const read = readEnvironment({
      PORT: '0',
      DATABASE_URL,
      DATABASE_POOL: '6',
      DATA_DIR: this.dataDir,
      PUBLIC_URL: 'http://127.0.0.1:3000',
      ENCRYPTION_KEYS: KEYS,
      CODE_PEPPERS: KEYS,
      TOKEN_SECRET: 'a secret that only the simulated world knows and uses',
      SIGNUP: 'open',
      RATE_LIMITS: 'off',
      RECONCILE_EVERY_SECONDS: '86400',
      ANALYTICS_EVERY_SECONDS: '43200',
      LOG_LEVEL: 'info',
      ...this.mailEnv,
      ...this.sandbox.envAt(`http://${STORES_HOST}`),
    });
    const { secrets } = await verifyKeys(DATABASE_URL, read, false);
    const config = completeConfig(read, secrets);
    const logger = new PinoLog(makePino(config.logLevel, { write: (line) => this.logged(line) }));
    const thread = new SimulatedThread(config, this.kernel);
    return makeApp({ config, clock: new Clock(), databaseUrl: DATABASE_URL, thread }, logger);
  }
}
