import { Command } from 'commander';
import { answer } from '../api/service.js';
import { action, type Context } from '../context.js';
import { asFailure, Failure } from '../failure.js';
import { serviceUrl } from '../settings/login.js';
import { list } from '../terminal/words.js';
import { withExamples } from './example.js';

/** Ends the session, and forgets the log-in. */
export const logoutCommand = (): Command =>
  withExamples(
    new Command('logout')
      .description('Log out of a service, and forget the log-in. An access token works until it is revoked.')
      .argument('[url]', 'address of the service (default: the last one)')
      .action(action(logOut)),
    'pierhead logout',
  );

async function logOut(context: Context, named: string | undefined): Promise<void> {
  const url = named === undefined ? await context.url() : serviceUrl(named);
  const { services } = await context.userFile.read();
  const saved = services[url];
  if (saved === undefined) {
    const known = Object.keys(services);
    throw new Failure(
      `You are not logged in to ${url}.`,
      known.length === 0 ? {} : { hint: `You are logged in to ${list(known)}.` },
    );
  }
  if (saved.session !== undefined) await endSession(context, url, saved.session);
  await context.userFile.remove(url);
  context.terminal.result({ url }, () => `Logged out of ${url}.`);
}

/** A session that cannot be ended now expires later; that is no reason to keep its secret. */
async function endSession(context: Context, url: string, session: string): Promise<void> {
  const service = context.serviceAs({ url, session });
  try {
    await answer(service.client.POST('/api/v1/auth/logout', { fetch: service.repeatedly }));
  } catch (error) {
    const failure = asFailure(error);
    if (failure.code !== 'unauthenticated')
      context.terminal.warn(`The session stays open at the service: ${failure.message}`);
  }
}
