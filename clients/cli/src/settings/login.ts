import { EXIT, Failure, usageFailure } from '../failure.js';
import type { SavedLogin, UserSettings } from './user-file.js';

type Env = Readonly<Record<string, string | undefined>>;

/** A service, and how the user is known to it. */
export interface Login extends SavedLogin {
  readonly url: string;
  /** Gives a token that is good for the next request, where one does not last as long as a command. */
  readonly bearer?: () => Promise<string>;
}

/**
 * The address of a service as it is compared and stored: without a slash or the path of the API at its end.
 * @throws Failure for text that is not an http address, or contains a password
 */
export function serviceUrl(text: string): string {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw usageFailure(`"${text}" is not the address of a service.`, 'Example: https://pierhead.example');
  if (url.username !== '' || url.password !== '') throw usageFailure('The address must not contain a password.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '');
}

/**
 * Finds the service for commands, and the credentials: `PIERHEAD_URL` and `PIERHEAD_TOKEN` win over the user's file. A token of the environment is
 * only for the service that the environment names, or the one logged in to last.
 * @throws Failure when no service is known, or nobody is logged in there
 */
export function chooseLogin(settings: UserSettings, env: Env): Login {
  const login = chooseLoginOrNone(settings, env);
  if (login.token !== undefined || login.session !== undefined) return login;
  throw new Failure(`You are not logged in to ${login.url}.`, {
    exitCode: EXIT.notAllowed,
    hint: `Log in with: pierhead login ${login.url}`,
  });
}

/** Like `chooseLogin`, also where nobody is logged in: some routes are for everybody. */
export function chooseLoginOrNone(settings: UserSettings, env: Env): Login {
  const url = chooseUrl(settings, env);
  const token = env['PIERHEAD_TOKEN'];
  if (token !== undefined && token !== '') return { url, token: wellFormed(token, 'PIERHEAD_TOKEN') };
  return { url, ...settings.services[url] };
}

/**
 * A token as a header can carry it. What cannot be sent would be quoted, secret and all, by the error of the HTTP client.
 * @param from where the token was read @throws Failure that does not repeat the token
 */
export function wellFormed(token: string, from: string): string {
  const trimmed = token.trim();
  if (/^[\x21-\x7E]+$/.test(trimmed)) return trimmed;
  throw usageFailure(`${from} is not an access token.`, 'Copy it again, in one line.');
}

/** @throws Failure when no service is known */
export function chooseUrl(settings: UserSettings, env: Env): string {
  const named = env['PIERHEAD_URL'];
  const url = named === undefined || named === '' ? settings.current : serviceUrl(named);
  if (url === undefined)
    throw new Failure('You are not logged in to any service.', {
      exitCode: EXIT.notAllowed,
      hint: 'Log in with: pierhead login https://pierhead.example, or set PIERHEAD_URL and PIERHEAD_TOKEN.',
    });
  return url;
}
