// Starts Debian's PgBouncer in transaction mode in front of a PostgreSQL, for the tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './on-sandbox.mjs';

const PROGRAM = '/usr/sbin/pgbouncer';

/** @param {string} url of the server @returns where PgBouncer listens and how to stop it, or null when it is not installed */
export async function startPgBouncer(url) {
  if (!existsSync(PROGRAM)) return null;
  const { hostname, port, username, password } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-pgbouncer-'));
  // It refuses to run as root, so it runs as nobody, who must be able to read the folder.
  chmodSync(folder, 0o755);
  const own = await freePort();
  const server = `host=${hostname} port=${port || 5432} user=${decodeURIComponent(username)}${password === '' ? '' : ` password=${decodeURIComponent(password)}`}`;
  const lines = [
    '[databases]',
    `* = ${server} connect_query='set statement_timeout = 15000; set lock_timeout = 10000; set idle_in_transaction_session_timeout = 30000'`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'max_client_conn = 1000',
    'default_pool_size = 10',
  ];
  const path = join(folder, 'pgbouncer.ini');
  writeFileSync(path, lines.join('\n'));
  const child = spawn(PROGRAM, [...(process.getuid() === 0 ? ['-u', 'nobody'] : []), path], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data) => (said += data));
  await Promise.race([
    (async () => {
      while (!said.includes('process up')) await once(child.stderr, 'data');
    })(),
    once(child, 'exit').then(() => Promise.reject(new Error(`PgBouncer ended: ${said}`))),
  ]);
  return {
    host: `127.0.0.1:${own}`,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
