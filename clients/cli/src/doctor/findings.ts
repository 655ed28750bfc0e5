import { sentenceInOptions } from '../api/in-options.js';
import type { Schema } from '../api/service.js';
import { compareMinor } from '../failure.js';
import { targetName, type Target } from '../publishing/targets.js';
import { storeName, STORES } from '../stores.js';
import { duration, relative } from '../terminal/words.js';

/** Finding of an examination about one subject. */
export interface Finding {
  readonly check: 'service' | 'version' | 'clock' | 'log-in' | 'project' | 'package' | 'credential' | 'target';
  /** `skipped` could not be examined, and `warning` works for now: neither fails the examination. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly message: string;
  /** Advice; null where nothing is to be done. */
  readonly remedy: string | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const CLOCK_TOLERANCE_MS = MINUTE_MS;
const EXPIRY_NOTICE_MS = 14 * DAY_MS;
const SESSION_NOTICE_MS = 2 * DAY_MS;

/** Whether the clocks of this machine and of the service agree. @param theirs the service's time */
export function clockFinding(theirs: Date, now: Date): Finding {
  const ms = now.getTime() - theirs.getTime();
  const isOff = Math.abs(ms) > CLOCK_TOLERANCE_MS;
  return {
    check: 'clock',
    state: isOff ? 'warning' : 'ok',
    message: isOff
      ? `This machine's clock is ${duration(Math.abs(ms))} ${ms > 0 ? 'ahead of' : 'behind'} the service's.`
      : "This machine's clock agrees with the service's.",
    remedy: isOff
      ? 'Synchronize the clock that is wrong with NTP. Stores refuse requests that are signed at the wrong time.'
      : null,
  };
}

/** Whether program and service are of one minor version: another one may have changed routes that only the console and this program use. */
export function versionFinding(ours: string, theirs: string, url: string): Finding {
  const order = compareMinor(ours, theirs);
  return {
    check: 'version',
    state: order === 0 ? 'ok' : 'warning',
    message: `The service is version ${theirs}, this program is version ${ours}.`,
    remedy:
      order === 0
        ? null
        : order < 0
          ? `Update this program: npm install -g ${url}/cli/pierhead.tgz`
          : 'Update the service to the same version.',
  };
}

/** Whether a log-in lasts. @param session the one that asks */
export function sessionFinding(who: string, session: { readonly expiresAt: string } | undefined, now: Date): Finding {
  if (session === undefined) return { check: 'log-in', state: 'ok', message: `${who}.`, remedy: null };
  const isEnding = new Date(session.expiresAt).getTime() - now.getTime() < SESSION_NOTICE_MS;
  return {
    check: 'log-in',
    state: isEnding ? 'warning' : 'ok',
    message: `${who}; expires ${relative(session.expiresAt, now)} unless it is used.`,
    remedy: isEnding ? 'Log in again with: pierhead login' : null,
  };
}

/** Scopes of a token, and whether they suffice for a push. @param expiresAt null for never, or where the token does not say */
export function tokenFinding(scopes: readonly string[], expiresAt: Date | null, now: Date): Finding {
  const missing = ['extensions:read', 'artifacts:write'].filter((scope) => !scopes.includes(scope));
  const isEnding = expiresAt !== null && expiresAt.getTime() - now.getTime() < EXPIRY_NOTICE_MS;
  const what = scopes.length === 0 ? 'The access token is known' : `The access token has ${scopes.join(', ')}`;
  const remedies = [
    ...(missing.length === 0
      ? []
      : [
          `A push with progress needs ${missing.join(' and ')}: pierhead tokens create NAME --scope extensions:read artifacts:write`,
        ]),
    ...(isEnding ? ['Make another one before it expires: pierhead tokens create'] : []),
  ];
  return {
    check: 'log-in',
    state: remedies.length === 0 ? 'ok' : 'warning',
    message: `${what}${expiresAt === null ? '' : `; expires ${relative(expiresAt, now)}`}.`,
    remedy: remedies.length === 0 ? null : remedies.join('\n  '),
  };
}

type Credential = Schema<'Credential'>;

/** Whether a credential works, and for how long. */
export function credentialFinding({ store, label, lastFour, expiresAt, health }: Credential, now: Date): Finding {
  const ofStore = STORES.find((id) => id === store);
  const name = `The key${label === null ? '' : ` "${label}"`} of ${ofStore === undefined ? store : storeName(ofStore)} (…${lastFour})`;
  const remedy = `Renew it with: ${ofStore === undefined ? 'pierhead api PATCH /credentials/ID' : `pierhead connect ${ofStore}`}`;
  const at = relative(health.at, now);
  const finding = (state: Finding['state'], message: string): Finding => ({
    check: 'credential',
    state,
    message: `${name} ${message}.`,
    remedy: state === 'ok' ? null : remedy,
  });
  switch (health.state) {
    case 'refused':
      return finding('failed', `was first refused ${at}, and still is`);
    case 'expired':
      return finding('failed', `expired ${at}`);
    case 'expires_soon':
      return finding('warning', `expires ${at}`);
    case 'unproven':
      return finding('ok', `has a key that worked ${at}; a target will prove whose it is`);
    case 'ok':
      return finding('ok', expiresAt === null ? `worked ${at}` : `expires ${relative(expiresAt, now)}`);
  }
}

/** Whether a target that is enabled gets on. @param extension its name */
export function targetFinding(extension: string, target: Target, now: Date): Finding {
  const { status, health, display, paused } = target;
  const { phase, failures } = status;
  const message = sentenceInOptions(status.message);
  const { word, tone } = display;
  const name = `${extension} at ${targetName(target)}`;
  const look = `pierhead status "${extension}"`;
  const finding = (state: Finding['state'], text: string, remedy: string | null): Finding => ({
    check: 'target',
    state,
    message: `${name} ${text}`,
    remedy,
  });
  if (phase === 'incomplete')
    return finding('failed', `is not connected: ${message}`, `pierhead connect ${target.store}`);
  if (tone === 'needs_you') return finding('failed', `needs you: ${message}`, look);
  if (tone === 'rejected') return finding('failed', `is ${word}: ${message}`, look);
  if (paused) return finding('warning', 'is paused.', `pierhead resume ${target.store} --extension "${extension}"`);
  switch (health.state) {
    case 'overdue':
      return finding(
        'failed',
        `should have been checked ${relative(health.at ?? now, now)}.`,
        'The service is not checking targets: see its log, and GET /health/ready.',
      );
    case 'failing':
      return finding('warning', `has failed ${failures} times in a row: ${message}`, look);
    case 'stalled':
      return finding('warning', `makes no progress: ${message}`, look);
    case 'ok':
      return finding('ok', `is ${word === 'nothing pushed' ? 'ready' : word}.`, null);
  }
}
