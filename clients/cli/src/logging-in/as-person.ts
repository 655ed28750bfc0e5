import type { Service } from '../api/service.js';
import type { Context } from '../context.js';
import { EXIT, Failure } from '../failure.js';
import { chooseLogin } from '../settings/login.js';

/** The service as a person who is logged in. @param what cannot be done otherwise @throws Failure where an access token asks */
export async function asPerson(context: Context, what: string): Promise<Service> {
  const { token } = chooseLogin(await context.settings(), context.surroundings.env);
  if (token === undefined) return context.service();
  throw new Failure(`An access token cannot ${what}. Only a person who is logged in can.`, {
    exitCode: EXIT.notAllowed,
    hint: 'Unset PIERHEAD_TOKEN if it is set, and log in with: pierhead login',
  });
}
