import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import type { Configuration, Provider } from 'oidc-provider';
import { vi } from 'vitest';

/** A person with an account at the provider, and what the provider says about them. */
export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

/** Signs claims with the provider's own key. */
export type Sign = (claims: JWTPayload, header?: { readonly alg?: string; readonly kid?: string }) => Promise<string>;
/** Makes another ID token of the one that the provider has just issued. */
export type Forgery = (claims: JWTPayload, sign: Sign) => Promise<string>;

const CLIENT_ID = 'pierhead';
const CLIENT_SECRET = 'a secret of the client: 100% & more';
const HOUR_SECONDS = 3600;

/** `oidc-provider` on loopback, with the sign-in pages that it has for development. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** Settings of a service whose users sign in here. */
  readonly env: Readonly<Record<string, string>>;
  /** Adds a person, or changes what is said about one. */
  know(person: Person): void;
  /** Replaces ID tokens from now on; without an argument no longer. */
  forge(forgery?: Forgery): void;
  /** Whether it answers at all. */
  setReachable(isReachable: boolean): Promise<void>;
  /** How often its discovery document was read. */
  readonly discoveries: number;
  close(): Promise<void>;
}

interface Options {
  /** Puts the address into the ID token too, as some providers do; the standard has it at the userinfo endpoint alone. */
  readonly hasEmailInToken?: boolean;
}

/** @param redirectUri of the service under test */
export async function startOpenIdProvider(redirectUri: string, options: Options = {}): Promise<OpenIdProvider> {
  const people = new Map<string, Person>();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const sign: Sign = (claims, header) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own', ...header }).sign(privateKey);
  let forgery: Forgery | undefined;
  let discoveries = 0;
  let listener: RequestListener = () => undefined;

  const server = createServer((request, response) => {
    // A client must not re-use a connection that ends with the server.
    response.setHeader('connection', 'close');
    listener(request, response);
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const issuer = `http://127.0.0.1:${port}`;
  const provider = await quietly(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: options.hasEmailInToken !== true,
    cookies: { keys: ['a key of the cookies'] },
    findAccount: (_context, id) => {
      const person = people.get(id);
      return person === undefined ? undefined : { accountId: id, claims: () => ({ ...person }) };
    },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'own', alg: 'RS256', use: 'sig' }] },
    pkce: { required: () => true },
    ttl: {
      Session: HOUR_SECONDS,
      Grant: HOUR_SECONDS,
      Interaction: HOUR_SECONDS,
      IdToken: HOUR_SECONDS,
      AccessToken: HOUR_SECONDS,
    },
  });
  provider.use(async (context, next) => {
    if (context.path === '/.well-known/openid-configuration') discoveries += 1;
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (context.path === '/token' && body?.id_token !== undefined && forgery !== undefined)
      body.id_token = await forgery(decodeJwt(body.id_token), sign);
  });
  const answer = provider.callback();
  listener = (request, response) => void answer(request, response);

  return {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET },
    know: (person) => void people.set(person.sub, person),
    forge: (wanted) => (forgery = wanted),
    setReachable: async (isReachable) => {
      if (isReachable) await listen(port);
      else await new Promise((resolve) => server.close(resolve));
    },
    get discoveries() {
      return discoveries;
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** Makes the provider without its warnings, which are about what a test wants: development pages, and nothing kept. */
async function quietly(issuer: string, configuration: Configuration): Promise<Provider> {
  const muted = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  try {
    const { Provider: OpenId } = await import('oidc-provider');
    return new OpenId(issuer, configuration);
  } finally {
    muted.mockRestore();
  }
}
