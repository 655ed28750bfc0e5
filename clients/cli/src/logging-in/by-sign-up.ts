import { problemFailure } from '../api/problem.js';
import type { Service } from '../api/service.js';
import type { Context } from '../context.js';
import { sessionOf, type LoggedIn } from './logged-in.js';

/** Known facts about the new account. */
interface NewAccount {
  readonly email: string;
  /** From standard input; otherwise a person types it. */
  readonly password: string | undefined;
  /** Name of the tenant that the account owns. */
  readonly tenant: string | undefined;
}

/** Creates an account with a tenant of its own, and logs in to it. A typed password is asked for again where the service refuses it. */
export async function bySignUp(
  context: Context,
  service: Service,
  { email, password, tenant }: NewAccount,
): Promise<LoggedIn> {
  const tenantName = tenant ?? (await nameOfTenant(context, email));
  for (;;) {
    const body = { email, tenantName, password: password ?? (await newPassword(context)) };
    const { data, error, response } = await service.client.POST('/api/v1/auth/signup', { body });
    const session = sessionOf(response);
    if (data !== undefined && session !== undefined) return { saved: { session }, user: data.user.email };
    const failure = problemFailure(response.status, error);
    const isPasswordRefused = password === undefined && failure.errors.some(({ field }) => field === 'password');
    if (!isPasswordRefused) throw failure;
    context.terminal.fail(failure);
  }
}

/** As when a person signs up through an identity provider, a tenant is called by its owner's address unless it has a name. */
const nameOfTenant = async ({ ask, terminal }: Context, email: string): Promise<string> =>
  terminal.isInteractive ? ask.text('Name of the team', '--tenant', { suggestion: email }) : email;

async function newPassword({ ask, terminal }: Context): Promise<string> {
  for (;;) {
    const password = await ask.secret('Password', '--password-stdin');
    if (password === (await ask.secret('The same password again', '--password-stdin'))) return password;
    terminal.tell('The two are not the same.');
  }
}
