import { generateKeyPair } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lendDatabases } from './databases.mjs';

async function newRsaKey() {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' });
}

/** Gives workers, by their environment, a lender of databases, a folder for what services write, and a key for service accounts. */
export default async function setUp() {
  const { url, close } = await lendDatabases(() => import('../../src/common/database/index.js'));
  const folder = await mkdtemp(join(tmpdir(), 'pierhead-tests-'));
  Object.assign(process.env, { TEST_DATABASES: url, TEST_FOLDER: folder, TEST_SERVICE_ACCOUNT_KEY: await newRsaKey() });
  return async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  };
}
