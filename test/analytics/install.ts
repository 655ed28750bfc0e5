import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/api.js';
import { RollUpService, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus } from '../support/given.js';

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';

/** What an install sends, and how. */
export interface Sent {
  readonly extensionId: string;
  readonly installId?: string;
  readonly version?: string;
  readonly language?: string;
  readonly store?: unknown;
  readonly licensed?: unknown;
  readonly userAgent?: string;
  /** As a proxy in front writes it. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Pings as an installed extension does. */
export function ping(world: World, { userAgent = CHROME, from, headers, ...sent }: Sent): Promise<Answer> {
  const body = { installId: randomUUID(), version: '1.0.0', ...sent };
  return world.api.post('/analytics/ping', body, {
    headers: { 'user-agent': userAgent, ...(from === undefined ? {} : { 'x-forwarded-for': from }), ...headers },
  });
}

/** Pings many times at once, a few on their way at any time. */
export async function pingAll(world: World, all: readonly Sent[]): Promise<void> {
  const left = [...all];
  const send = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) expectStatus(await ping(world, next), 202);
  };
  await Promise.all(Array.from({ length: 32 }, send));
}

/** Reads new pings into the figures, as every few seconds. */
export const rollUp = (world: World): Promise<void> => world.app.get(RollUpService).run();

/** The UTC day on which the world is, or another one from there. */
export const dayOf = (world: World, days = 0): string =>
  new Date(world.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);

/** Moves the service's clock to a time of the next UTC day. */
export const nextDay = ({ clock }: World, ms: number): void => clock.forward(DAY - (clock.now().getTime() % DAY) + ms);
