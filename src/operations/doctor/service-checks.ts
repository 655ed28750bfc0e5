import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Redis } from 'ioredis';
import {
  isLoopback,
  localUrl,
  PROCESSOR_IDS,
  SETTINGS,
  type AddressSetting,
  type Config,
} from '../../common/config/index.js';
import { makeBlobStore } from '../../common/storage/index.js';
import { freeBytes, probeFolder, SECOND_MS, USER_AGENT } from '../../common/system/index.js';
import { readSmtpFailure, smtpTransport } from '../../platform/mail/index.js';
import { addressesOf, STORE_IDS } from '../../stores/index.js';
import { checkClock } from './database-checks.js';
import { fault, inTime, ok, reasonOf, skipped, warning, type CheckResult } from './finding.js';

const LITTLE_BYTES = 1_000_000_000;
const GIGABYTE = 1_000_000_000;
/** HTTP's `Date` has whole seconds, and the answer takes a moment to arrive. */
const HTTP_DATE_SECONDS = 2;

/** Each store and processor, and the settings of its addresses. */
export const REMOTES: readonly (readonly [id: string, addresses: readonly AddressSetting[]])[] = [
  ...STORE_IDS.map((id) => [id, addressesOf(id)] as const),
  ...PROCESSOR_IDS.map((id) => [id, [`${id}ApiUrl`]] as const),
];

/**
 * Checks that a folder is writable and has free space. Does not create a missing folder, which the first start does, but checks the nearest
 * folder above it.
 */
export async function checkFolder(folder: string, setting: string): Promise<CheckResult> {
  const found = await nearestOf(resolve(folder));
  const isMissing = found !== resolve(folder);
  try {
    await inTime(probeFolder(found));
  } catch (error) {
    return fault(
      isMissing
        ? `${folder} cannot be created: ${found} is not writable: ${reasonOf(error)}.`
        : `${folder} is not writable: ${reasonOf(error)}.`,
      `Free up space, give the user of the service write access, or set another ${setting}.`,
    );
  }
  const free = await freeBytes(found);
  const room = `${(free / GIGABYTE).toFixed(1)} GB are free at ${folder}${isMissing ? ', which is created when it is needed' : ''}.`;
  return free < LITTLE_BYTES ? warning(room, 'Free up space, or use a larger disk.') : ok(room);
}

/** Returns a path, or what exists nearest above it. */
async function nearestOf(path: string): Promise<string> {
  const isThere = (await stat(path).catch(() => null)) !== null;
  return isThere || dirname(path) === path ? path : nearestOf(dirname(path));
}

/** Checks that packages can be stored in the bucket. */
export async function checkBucket(config: Config): Promise<CheckResult> {
  if (config.s3Bucket === undefined) return skipped('S3_BUCKET is not set: packages are in DATA_DIR.');
  try {
    await inTime((await makeBlobStore(config)).check());
    return ok(`The bucket ${config.s3Bucket} answers.`);
  } catch (error) {
    return fault(
      `The bucket ${config.s3Bucket} cannot be used: ${reasonOf(error)}.`,
      'Check S3_BUCKET, S3_REGION, S3_ENDPOINT and the access key, and what the key may do.',
    );
  }
}

/** Checks that Redis answers. */
export async function checkRedis({ redisUrl }: Config): Promise<CheckResult> {
  if (redisUrl === undefined) return skipped('REDIS_URL is not set: each process counts rate limits for itself.');
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  // Without a listener, ioredis prints the error, which connecting throws as well.
  let cause: unknown = null;
  redis.on('error', (error) => (cause = error));
  try {
    await inTime(redis.connect().then(() => redis.ping()));
    return ok('It answers.');
  } catch (error) {
    return fault(
      `It does not answer: ${reasonOf(cause ?? error)}.`,
      'Check that Redis is running, and the host, port and password in REDIS_URL.',
    );
  } finally {
    redis.disconnect();
  }
}

/** Checks that the mail server accepts the log-in. Sends nothing. */
export async function checkMail({ smtpUrl }: Config): Promise<CheckResult> {
  if (smtpUrl === undefined) return skipped('SMTP_URL is not set: mails wait.');
  const transport = await smtpTransport(smtpUrl);
  try {
    await inTime(transport.verify());
    return ok('It answers and accepts the log-in.');
  } catch (error) {
    // Never the server's words, which may quote what was sent.
    const { status, error: code } = readSmtpFailure(error);
    const why = code === 'failed' && status === null ? 'no answer in time' : [code, status].filter(Boolean).join(' ');
    return fault(
      `It refuses or does not answer: ${why}.`,
      'Check the host, port, user and password in SMTP_URL; smtps:// is for port 465.',
    );
  } finally {
    transport.close();
  }
}

/** Checks that PUBLIC_URL leads to this service, as far as that is possible from this machine and while the service runs. */
export async function checkPublicUrl({ publicUrl, host, port }: Config, isSet: boolean): Promise<CheckResult> {
  const { protocol, hostname } = new URL(publicUrl);
  if (!isSet)
    return isLoopback(host)
      ? ok(`Not set: ${publicUrl}, for this machine only.`)
      : warning('Not set: links work on this machine only.', 'Set PUBLIC_URL to the address that browsers use.');
  if (protocol === 'http:' && !isLoopback(hostname))
    return fault(
      `${publicUrl} is not encrypted, so browsers do not keep sessions.`,
      'Put a TLS proxy in front, and set PUBLIC_URL to its https address.',
    );
  if ((await answer(`${localUrl({ host, port })}/health/live`).catch(() => null)) === null)
    return skipped('The service is not running on this machine, so its address was not checked.');
  try {
    const { status } = await answer(`${publicUrl}/api/v1/auth/methods`);
    if (status === 200) return ok(`${publicUrl} leads to Pierhead.`);
    return fault(
      `${publicUrl} answered ${status}, but not with a response from Pierhead.`,
      'Configure the proxy to forward all paths, and check PUBLIC_URL.',
    );
  } catch (error) {
    return fault(
      `${publicUrl} cannot be reached from here: ${reasonOf(error)}.`,
      'Check the name, the certificate and the proxy. If only this machine cannot reach it, ignore this.',
    );
  }
}

/** Checks that TRUST_PROXY fits PUBLIC_URL. */
export function checkProxies({ publicUrl, trustProxy }: Config): CheckResult {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' && trustProxy === 0)
    return fault(
      'TRUST_PROXY is 0, but a proxy must be decrypting https in front: all visitors share its address and its rate limits.',
      'Set TRUST_PROXY to the number of proxies.',
    );
  if (protocol === 'http:' && isLoopback(hostname) && trustProxy > 0)
    return warning(
      `TRUST_PROXY is ${trustProxy}, but PUBLIC_URL is this machine: visitors could choose their address.`,
      'Set TRUST_PROXY=0 unless a proxy is in front.',
    );
  return ok(`TRUST_PROXY is ${trustProxy}.`);
}

/**
 * Checks that a store or processor can be reached, and this machine's clock against its own.
 * @param isUsed whether some tenant has credentials for it; null when that is unknown
 */
export async function checkRemote(
  config: Config,
  addresses: readonly AddressSetting[],
  isUsed: boolean | null,
): Promise<CheckResult> {
  for (const key of addresses) {
    try {
      const { headers } = await answer(config[key]);
      const seconds = (Date.parse(headers.get('date') ?? '') - Date.now()) / SECOND_MS;
      const clock = checkClock(
        Math.abs(seconds) <= HTTP_DATE_SECONDS || Number.isNaN(seconds) ? 0 : seconds,
        new URL(config[key]).host,
      );
      if (clock.state !== 'ok') return { ...clock, message: `This machine's clock is ${clock.message}` };
    } catch (error) {
      const message = `${new URL(config[key]).host} cannot be reached: ${reasonOf(error)}.`;
      const remedy = `Let this machine connect to it, through the firewall or by ${SETTINGS[key].name}.`;
      if (isUsed === true) return fault(message, remedy);
      return warning(message, isUsed === false ? `${remedy} No tenant has credentials for it yet.` : remedy);
    }
  }
  return ok('It answers.');
}

async function answer(url: string): Promise<Response> {
  const response = await inTime(fetch(url, { redirect: 'manual', headers: { 'user-agent': USER_AGENT } }));
  await response.body?.cancel();
  return response;
}
