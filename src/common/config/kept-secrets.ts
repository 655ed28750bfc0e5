import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncToDisk } from '../system/index.js';
import { ConfigFault, KEPT_SECRETS, type EnvironmentValues, type KeptSecret, type Secrets } from './config.js';
import { SETTINGS, type Setting } from './settings.js';

/** Where a secret is kept that the environment did not give. */
export const secretFile = (dataDir: string, secret: KeptSecret): string =>
  join(dataDir, SETTINGS[secret].name.toLowerCase().replaceAll('_', '-'));

/** Finds the secrets that there are: in the environment, and else in `DATA_DIR`. */
export async function findSecrets(read: EnvironmentValues): Promise<Partial<Secrets>> {
  const { dataDir } = read;
  return {
    encryptionKeys:
      read.encryptionKeys ?? (await found(secretFile(dataDir, 'encryptionKeys'), SETTINGS.encryptionKeys)),
    tokenSecret: read.tokenSecret ?? (await found(secretFile(dataDir, 'tokenSecret'), SETTINGS.tokenSecret)),
    codePeppers: read.codePeppers ?? (await found(secretFile(dataDir, 'codePeppers'), SETTINGS.codePeppers)),
  };
}

/**
 * Finds the secrets that the environment did not give, making each once and keeping it in `DATA_DIR` (mode 0600).
 * Only called for what is missing; with a database server the environment must give them.
 * @param newId the id of a key that is made
 */
export async function keepSecrets(read: EnvironmentValues, newId: (of: KeptSecret) => string = () => 'k1') {
  const made: Readonly<Record<KeptSecret, () => string>> = {
    encryptionKeys: () => `${newId('encryptionKeys')}:${randomKey('base64')}`,
    codePeppers: () => `${newId('codePeppers')}:${randomKey('base64')}`,
    tokenSecret: () => randomKey('base64url'),
  };
  for (const secret of KEPT_SECRETS)
    if (read[secret] === undefined) await keep(secretFile(read.dataDir, secret), made[secret]);
  return (await findSecrets(read)) as Secrets;
}

const randomKey = (encoding: 'base64' | 'base64url'): string => randomBytes(32).toString(encoding);

async function found<T>(path: string, setting: Setting<T>): Promise<T | undefined> {
  const value = await readIfThere(path);
  try {
    return value === null ? undefined : setting.parse(value);
  } catch (error) {
    throw new ConfigFault([`${path} must ${(error as Error).message}. ${setting.meaning}`]);
  }
}

async function keep(path: string, make: () => string): Promise<void> {
  await makeFolder(dirname(path));
  if ((await readIfThere(path)) === null) await writeOnce(path, make());
  // Also what was there: a crash may have come before its name was on the disk.
  await syncToDisk(dirname(path));
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
async function writeOnce(path: string, value: string): Promise<void> {
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
}
