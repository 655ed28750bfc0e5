import { within } from '../../common/net/index.js';
import { SECOND_MS } from '../../common/system/index.js';

/** The finding of one check. Only a `fault` makes the command fail; `skipped` means that another fault or a missing setting prevented the check. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'fault' | 'skipped';
  /** The finding in a sentence. */
  readonly message: string;
  /** Advice to the operator; null when nothing is to be done. */
  readonly remedy: string | null;
}

/** A finding before it has the name of its check. */
export type CheckResult = Omit<Finding, 'check'>;

/** A host that does not answer within this time counts as down. */
const LIMIT_MS = 5 * SECOND_MS;

export const ok = (message: string): CheckResult => ({ state: 'ok', message, remedy: null });
export const skipped = (message: string): CheckResult => ({ state: 'skipped', message, remedy: null });
export const warning = (message: string, remedy: string): CheckResult => ({ state: 'warning', message, remedy });
export const fault = (message: string, remedy: string): CheckResult => ({ state: 'fault', message, remedy });

/** Waits for work that depends on a host, up to a limit. @throws Error after `ms` */
export const inTime = <T>(work: Promise<T>, ms = LIMIT_MS): Promise<T> => within(ms, work);

/** Describes a failure by its innermost cause and that cause's code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, errors } = error as Error & { readonly code?: unknown; readonly errors?: readonly unknown[] };
  const inner = errors?.[0] ?? error.cause;
  if (inner instanceof Error && !error.message.startsWith('no answer')) return reasonOf(inner);
  const text = error.message === '' ? error.name : error.message;
  return typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text;
}
