import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { problemFailure } from '../api/problem.js';
import type { Schema, Service } from '../api/service.js';
import type { Context } from '../context.js';
import { EXIT, Failure } from '../failure.js';
import { openInBrowser } from '../terminal/browser.js';
import { sessionOf, type LoggedIn } from './logged-in.js';

/** Lets a person approve the log-in in a browser. @returns null where the service knows no such log-in @throws Failure when it is denied, or takes too long */
export async function byBrowser({ terminal, surroundings }: Context, service: Service): Promise<LoggedIn | null> {
  const body = { name: `pierhead on ${hostname()}`.slice(0, 100) };
  const { data: begun, error, response } = await service.client.POST('/api/v1/auth/cli', { body });
  if (response.status === 404 || response.status === 405) return null;
  if (begun === undefined) throw problemFailure(response.status, error);
  const { userCode, verificationUrlComplete: url } = begun;
  const isOpen = await openInBrowser(surroundings.env, url);
  terminal.tell(
    [
      isOpen ? 'Your browser shows a page. If it does not, open:' : 'Open this page in a browser:',
      `  ${url}`,
      `Approve there if it shows this code: ${terminal.noteStyle('bold', userCode)}`,
    ].join('\n'),
  );
  return approved(service, begun, surroundings.signal);
}

/** Asks until the person has decided, or the time is over. */
async function approved(
  service: Service,
  { deviceCode, expiresIn, interval }: Schema<'BegunCliLogin'>,
  signal: AbortSignal,
): Promise<LoggedIn> {
  const until = performance.now() + expiresIn * 1000;
  while (performance.now() < until) {
    await pause(interval * 1000, undefined, { signal });
    const { data, error, response } = await service.client.POST('/api/v1/auth/cli/token', {
      body: { deviceCode },
      fetch: service.repeatedly,
    });
    const session = sessionOf(response);
    if (data !== undefined && session !== undefined) return { saved: { session }, user: data.user.email };
    const failure = problemFailure(response.status, error);
    if (failure.code !== 'cli_login_pending') throw failure;
  }
  throw new Failure('Nobody approved the log-in in time.', {
    exitCode: EXIT.notAllowed,
    hint: 'Start again with: pierhead login',
  });
}
