import { Command, Option } from 'commander';
import { notPierhead, problemFailure } from '../api/problem.js';
import { assertAccepted } from '../api/token.js';
import { answer, type Service } from '../api/service.js';
import { action, type Context } from '../context.js';
import { asFailure, EXIT, Failure } from '../failure.js';
import { byBrowser } from '../logging-in/by-browser.js';
import { bySignUp } from '../logging-in/by-sign-up.js';
import { sessionOf, type LoggedIn } from '../logging-in/logged-in.js';
import { serviceUrl, wellFormed } from '../settings/login.js';
import { withExamples } from './example.js';

/** Time that a person waits for the answer that an address is wrong, in milliseconds. */
const ASKED_FOR_MS = 3_000;

interface Options {
  readonly email?: string;
  readonly passwordStdin?: true;
  readonly tokenStdin?: true;
  readonly signUp?: true;
  readonly tenant?: string;
}

/** Log-in to a service by approval in a browser, by password, or with an access token. */
export const loginCommand = (): Command =>
  withExamples(
    new Command('login')
      .description('Log in to a service. The log-in is kept in a file that only you can read.')
      .argument('[url]', 'address of the service (default: the last one)')
      .option('--email <address>', 'log in as this user by password, instead of approving in a browser')
      .option('--password-stdin', 'read the password from standard input')
      .addOption(
        new Option('--token-stdin', 'read an access token from standard input, and use it from now on').conflicts([
          'email',
          'passwordStdin',
          'signUp',
        ]),
      )
      .option('--sign-up', 'create an account first, if the service allows sign-up')
      .option('--tenant <name>', 'with --sign-up: name of the team (default: the e-mail address)')
      .action(action(logIn)),
    'pierhead login https://pierhead.example',
    'pierhead login https://pierhead.example --token-stdin < token.txt',
  );

async function logIn(context: Context, url: string | undefined, options: Options): Promise<void> {
  await context.userFile.assertWritable();
  const address = await addressOf(context, url);
  const login = await loginAt(context, address, options);
  await context.userFile.save(address, login.saved);
  context.terminal.result(
    { url: address, user: login.user },
    () => `Logged in to ${address}${login.user === null ? '' : ` as ${login.user}`}.`,
  );
}

async function loginAt(context: Context, url: string, options: Options): Promise<LoggedIn> {
  if (options.tokenStdin) return byToken(context, url);
  const service = context.serviceAs({ url });
  const wantsPassword = options.email !== undefined || options.passwordStdin === true;
  const isOpen = context.terminal.isInteractive && !wantsPassword;
  if (options.signUp || (isOpen && (await wantsAccount(context, service))))
    return bySignUp(context, service, {
      email: await emailOf(context, options),
      password: options.passwordStdin ? await passwordOf(context, options) : undefined,
      tenant: options.tenant,
    });
  return (isOpen ? await byBrowser(context, service) : null) ?? byPassword(context, service, options);
}

/** Offers an account where the service takes sign-ups: an empty one does, unless its operator closed it. */
async function wantsAccount({ ask }: Context, service: Service): Promise<boolean> {
  const { signup } = await answer(service.client.GET('/api/v1/auth/methods'));
  if (!signup) return false;
  return ask.choose(`${service.url} allows sign-up.`, '--sign-up', [
    { value: true, label: 'Create an account' },
    { value: false, label: 'Log in to an existing account' },
  ]);
}

const emailOf = async ({ ask }: Context, { email }: Options): Promise<string> =>
  email ?? (await ask.text('E-mail address', '--email'));

const passwordOf = async (context: Context, { passwordStdin }: Options): Promise<string> =>
  passwordStdin
    ? (await context.text('-')).replace(/\r?\n$/, '')
    : context.ask.secret('Password', '--password-stdin, or --token-stdin');

/** The address of a service: as it is given or known, or else as a person types it, until a service is there. */
async function addressOf(context: Context, given: string | undefined): Promise<string> {
  let address = given === undefined ? await knownUrl(context) : serviceUrl(given);
  while (context.terminal.isInteractive) {
    address ??= await askForUrl(context);
    const failure = await absenceAt(context.serviceAs({ url: address }, ASKED_FOR_MS));
    if (failure === null) break;
    context.terminal.fail(failure);
    address = null;
  }
  return address ?? askForUrl(context);
}

/** Codes of failures that another address can mend. */
const ABSENT = new Set(['unreachable', 'not_pierhead', 'redirected']);

/** Why no Pierhead is at an address; null where one is. */
async function absenceAt({ client, url }: Service): Promise<Failure | null> {
  try {
    const { signup } = await answer(client.GET('/api/v1/auth/methods'));
    return typeof signup === 'boolean' ? null : notPierhead(url, 200);
  } catch (error) {
    const failure = asFailure(error);
    if (ABSENT.has(failure.code ?? '')) return failure;
    throw error;
  }
}

/** Null where no service is known yet. */
async function knownUrl(context: Context): Promise<string | null> {
  try {
    return await context.url();
  } catch (error) {
    // A wrong PIERHEAD_URL or a damaged file is for the user to mend.
    if (asFailure(error).exitCode !== EXIT.notAllowed) throw error;
    return null;
  }
}

const askForUrl = async ({ ask }: Context): Promise<string> =>
  serviceUrl(
    await ask.text('Address of the service', 'pierhead login <url>', {
      placeholder: 'https://pierhead.example',
      validate: (text) => {
        try {
          serviceUrl(text);
          return undefined;
        } catch (error) {
          return asFailure(error).message;
        }
      },
    }),
  );

/** Takes a token that the service accepts, whatever its scopes. */
async function byToken(context: Context, url: string): Promise<LoggedIn> {
  const given = (await context.text('-')).trim();
  if (given === '') throw new Failure('Standard input has no token.', { exitCode: EXIT.usage });
  const token = wellFormed(given, 'Standard input');
  await assertAccepted(context.serviceAs({ url, token }));
  return { saved: { token }, user: null };
}

async function byPassword(context: Context, service: Service, options: Options): Promise<LoggedIn> {
  const { password: isAllowed } = await answer(service.client.GET('/api/v1/auth/methods'));
  if (!isAllowed)
    throw new Failure('This service does not allow log-in by password.', {
      exitCode: EXIT.notAllowed,
      hint: 'Use an access token instead: pierhead login --token-stdin',
    });
  const email = await emailOf(context, options);
  return openSession(context, service, { email, password: await passwordOf(context, options) });
}

/** Logs in, and asks for the second factor where the service does. */
async function openSession(
  context: Context,
  service: Service,
  credentials: { readonly email: string; readonly password: string },
): Promise<LoggedIn> {
  for (let code: string | undefined; ;) {
    const body = { ...credentials, ...(code === undefined ? {} : { code }) };
    const { data, error, response } = await service.client.POST('/api/v1/auth/login', { body });
    const session = sessionOf(response);
    if (data !== undefined && session !== undefined) return { saved: { session }, user: data.user.email };
    const failure = problemFailure(response.status, error);
    if (failure.code === 'second_factor_invalid' && context.terminal.isInteractive)
      context.terminal.note(failure.message);
    else if (failure.code !== 'second_factor_required' || code !== undefined) throw failure;
    code = await context.ask.text(
      'Code from your authenticator app, or a recovery code',
      'an access token with --token-stdin',
    );
  }
}
