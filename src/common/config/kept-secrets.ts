import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigFault, type ConfigValues, type EnvironmentValues, type KeptSecret } from './config.js';
import { SETTINGS, type Setting } from './settings.js';

/**
 * Finds the secrets that the environment did not give, making each once and keeping it in `DATA_DIR` (mode 0600).
 * Only called for what is missing; with a database server the environment must give them.
 */
export async function keepSecrets(read: EnvironmentValues): Promise<Pick<ConfigValues, KeptSecret>> {
  return {
    encryptionKeys: read.encryptionKeys ?? (await kept(read.dataDir, SETTINGS.encryptionKeys, randomRing)),
    tokenSecret: read.tokenSecret ?? (await kept(read.dataDir, SETTINGS.tokenSecret, () => randomKey('base64url'))),
    codePeppers: read.codePeppers ?? (await kept(read.dataDir, SETTINGS.codePeppers, randomRing)),
  };
}

const randomKey = (encoding: 'base64' | 'base64url'): string => randomBytes(32).toString(encoding);
const randomRing = (): string => `k1:${randomKey('base64')}`;

async function kept<T>(dataDir: string, setting: Setting<T>, make: () => string): Promise<T> {
  const path = join(dataDir, setting.name.toLowerCase().replaceAll('_', '-'));
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const value = (await readIfThere(path)) ?? (await writeOnce(path, make()));
  try {
    return setting.parse(value);
  } catch (error) {
    throw new ConfigFault([`${path} must ${(error as Error).message}. ${setting.meaning}`]);
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Links a finished file into place, so that neither a crash nor a second process can leave half a key behind. */
async function writeOnce(path: string, value: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${value}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  return (await readFile(path, 'utf8')).trim();
}
