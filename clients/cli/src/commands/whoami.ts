import { Command } from 'commander';
import { answer } from '../api/service.js';
import { assertAccepted, endOf } from '../api/token.js';
import { action, type Context } from '../context.js';
import { chooseLogin } from '../settings/login.js';
import { relative } from '../terminal/words.js';
import { withExamples } from './example.js';

/** Shows who is logged in, and where. */
export const whoamiCommand = (): Command =>
  withExamples(
    new Command('whoami').description('Show the service, the user, the tenant and the role.').action(action(whoAmI)),
    'pierhead whoami',
  );

async function whoAmI(context: Context): Promise<void> {
  const login = chooseLogin(await context.settings(), context.surroundings.env);
  const service = context.serviceAs(login);
  const { url } = login;
  if (login.token !== undefined) {
    await assertAccepted(service);
    const expiresAt = endOf(login.token);
    context.terminal.result({ url, by: 'token', ...(expiresAt === undefined ? {} : { expiresAt }) }, () => {
      const end = expiresAt == null ? '' : `, which expires ${relative(expiresAt, new Date())}`;
      return `An access token at ${url}${end}.`;
    });
    return;
  }
  const { user, tenant, role } = await answer(service.client.GET('/api/v1/auth/me'));
  context.terminal.result(
    { url, by: 'session', user, tenant, role },
    () => `${user.email}, ${role} of ${tenant.name} at ${url}.`,
  );
}
