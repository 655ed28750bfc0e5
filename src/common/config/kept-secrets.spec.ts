import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigFault, readEnvironment } from './config.js';
import { keepSecrets } from './kept-secrets.js';

const BUILT = fileURLToPath(new URL('../../../dist/common/config/index.js', import.meta.url));
const FILES = ['code-peppers', 'encryption-keys', 'token-secret'];

describe('secrets that are not set', () => {
  let folder: string;
  let dataDir: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-secrets-'));
    dataDir = join(folder, 'data');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const keep = (env: Readonly<Record<string, string>> = {}) =>
    keepSecrets(readEnvironment({ DATA_DIR: dataDir, ...env }));

  /** Another process that reads its secrets from the same folder, once `begin` is called. */
  function process2(): { readonly begin: () => void; readonly secrets: Promise<string> } {
    const script = `
      const { keepSecrets, readEnvironment } = await import(${JSON.stringify(BUILT)});
      process.stdout.write('ready\\n');
      process.stdin.once('data', async () => {
        process.stdout.write(JSON.stringify(await keepSecrets(readEnvironment(process.env))));
        process.exit();
      });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { DATA_DIR: dataDir },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const secrets = once(child, 'close').then(() => printed.replace('ready\n', ''));
    return { begin: () => child.stdin.write('go'), secrets };
  }

  it('are generated once, in files that only their owner can read', async () => {
    const made = await keep();
    expect(made.encryptionKeys).toEqual([{ id: 'k1', key: expect.any(Uint8Array) }]);
    expect(made.encryptionKeys[0]?.key).toHaveLength(32);
    expect(made.codePeppers).toEqual([{ id: 'k1', key: expect.any(Uint8Array) }]);
    expect(made.codePeppers[0]?.key).not.toEqual(made.encryptionKeys[0]?.key);
    expect(made.tokenSecret.length).toBeGreaterThanOrEqual(43);
    expect((await readdir(dataDir)).toSorted()).toEqual(FILES);
    for (const name of FILES) expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(await keep()).toEqual(made);
  });

  it('differ from one installation to the next', async () => {
    const one = await keep();
    await rm(dataDir, { recursive: true });
    const other = await keep();
    expect(other.tokenSecret).not.toBe(one.tokenSecret);
    expect(other.encryptionKeys).not.toEqual(one.encryptionKeys);
  });

  it('are not generated when the environment has them', async () => {
    const given = await keep({
      TOKEN_SECRET: 'x'.repeat(40),
      ENCRYPTION_KEYS: `mine:${Buffer.alloc(32).toString('base64')}`,
      CODE_PEPPERS: `mine:${Buffer.alloc(32).toString('base64')}`,
    });
    expect(given).toMatchObject({
      tokenSecret: 'x'.repeat(40),
      encryptionKeys: [{ id: 'mine' }],
      codePeppers: [{ id: 'mine' }],
    });
    await expect(readdir(dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('are the same for processes that start at once, which leave no draft behind', async () => {
    const others = [process2(), process2(), process2()];
    const here = Promise.all(Array.from({ length: 8 }, () => keep()));
    for (const { begin } of others) begin();
    const kept = JSON.stringify(await keep());
    expect(new Set((await here).map((one) => JSON.stringify(one)))).toEqual(new Set([kept]));
    expect(new Set(await Promise.all(others.map(({ secrets }) => secrets)))).toEqual(new Set([kept]));
    expect((await readdir(dataDir)).toSorted()).toEqual(FILES);
  });

  it('stop the start with the file name when damaged, and are not replaced', async () => {
    await keep();
    await writeFile(join(dataDir, 'token-secret'), 'marked\n');
    const refused = await keep().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigFault);
    expect((refused as Error).message).toMatch(/token-secret must have at least 32 characters/);
    expect((refused as Error).message).not.toContain('marked');
    expect(await readFile(join(dataDir, 'token-secret'), 'utf8')).toBe('marked\n');
  });

  it('stop the start with the file name when they cannot be read', async () => {
    await keep();
    await rm(join(dataDir, 'token-secret'));
    await mkdir(join(dataDir, 'token-secret'));
    const refused = await keep().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigFault);
    expect((refused as Error).message).toMatch(/token-secret must be a file that this user can read.*EISDIR/);
  });
});
