import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** How long a server may take to start or stop, on a machine that does much else. */
const WAIT_SECONDS = 180;
const BIN = '/usr/lib/postgresql/15/bin';

/** Whether Debian's programs of PostgreSQL are here. */
export const hasPostgresPrograms = existsSync(join(BIN, 'pg_basebackup'));

/** A server of PostgreSQL with files of its own. */
export interface Server {
  readonly url: string;
  start(): void;
  /** Ends it if it runs: `fast` as an operator does, `immediate` as a crash does. */
  stop(mode: 'fast' | 'immediate'): void;
  /** Makes a standby a primary. */
  promote(): void;
  query<Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<readonly Row[]>;
}

/** A primary and its streaming standby. */
export interface Cluster {
  readonly primary: Server;
  readonly standby: Server;
  /** Makes the primary wait at each commit until the standby has it on its disk, or no longer. */
  waitForStandby(waits: boolean): Promise<void>;
  remove(): void;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs one of PostgreSQL's programs, which refuse to run as root. @throws Error with what it said */
function run(program: string, ...args: readonly string[]): void {
  const command = [join(BIN, program), ...args];
  const [name = '', ...rest] = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  // A server that it starts would keep a pipe open.
  const { status, error } = spawnSync(name, rest, { stdio: ['ignore', 'ignore', 'inherit'], cwd: '/' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`, { cause: error });
}

function serverAt(folder: string, port: number): Server {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let isRunning = false;
  const control = (...args: readonly string[]): void =>
    run('pg_ctl', '--pgdata', folder, '--wait', '--timeout', String(WAIT_SECONDS), ...args);
  return {
    url,
    start: () => {
      control('start', '--silent', '--log', `${folder}.log`);
      isRunning = true;
    },
    stop: (mode) => {
      if (isRunning) control('stop', '--silent', '--mode', mode);
      isRunning = false;
    },
    promote: () => control('promote', '--silent'),
    query: async <Row extends object>(sql: string, parameters: readonly unknown[] = []) => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query<Row>(sql, [...parameters])).rows;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  };
}

/** Makes and starts both, each on a port of its own. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-cluster-'));
  chmodSync(folder, 0o777);
  const at = async (name: string, make: (data: string) => void): Promise<Server> => {
    const data = join(folder, name);
    const port = await freePort();
    make(data);
    appendFileSync(join(data, 'postgresql.conf'), `\nport = ${port}\n`);
    const server = serverAt(data, port);
    server.start();
    return server;
  };
  const primary = await at('primary', (data) => {
    run('initdb', '--pgdata', data, '--auth', 'trust', '--username', 'postgres', '--encoding', 'UTF8', '--no-sync');
    const settings = "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nmax_connections = 200\n";
    appendFileSync(join(data, 'postgresql.conf'), settings);
  });
  const standby = await at('standby', (data) => {
    run('pg_basebackup', '--pgdata', data, '--dbname', primary.url, '--checkpoint', 'fast', '--write-recovery-conf');
  });
  return {
    primary,
    standby,
    waitForStandby: async (waits) => {
      await primary.query(`alter system set synchronous_standby_names = '${waits ? '*' : ''}'`);
      await primary.query('select pg_reload_conf()');
    },
    remove: () => {
      for (const server of [standby, primary]) server.stop('immediate');
      rmSync(folder, { recursive: true });
    },
  };
}
