import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncToDisk } from '../system/index.js';
import { ConfigFault, KEPT_SECRETS, type EnvironmentValues, type KeptSecret, type Secrets } from './config.js';
import { SETTINGS, type Setting } from './settings.js';

/** Returns the file of a secret that is not set in the environment. */
export const secretFile = (dataDir: string, secret: KeptSecret): string =>
  join(dataDir, SETTINGS[secret].name.toLowerCase().replaceAll('_', '-'));

/** Reads the existing secrets: from the environment, otherwise from `DATA_DIR`. */
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
 * Reads the secrets, and generates those that exist neither in the environment nor in `DATA_DIR`, where they are kept (mode 0600). With a
 * database server, the environment must have them.
 * @param newId returns the id of a generated key
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
  // An existing file too: a process may have crashed before its entry was flushed.
  await syncToDisk(dirname(path));
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    // A DATA_DIR that is no folder is told as such.
    if (code === 'ENOTDIR') throw error;
    throw new ConfigFault([`${path} must be a file that this user can read. Reading it failed (${code}).`]);
  }
}

/** Links a finished file into place, so that neither a crash nor a second process leaves an incomplete key. */
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
