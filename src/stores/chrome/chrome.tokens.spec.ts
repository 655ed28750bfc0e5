import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jwtVerify } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { HttpClient } from '../../common/net/index.js';
import { keyOf, type ChromeKey } from './chrome.credentials.js';
import { ChromeTokens } from './chrome.tokens.js';

const pair = (
  modulusLength: number,
): { pem: string; publicKey: ReturnType<typeof generateKeyPairSync>['publicKey'] } => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength });
  return { pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), publicKey };
};
const { pem, publicKey } = pair(2048);
const email = 'ci@p.example';
const account = (private_key: string): ChromeKey =>
  keyOf({ publisherId: 'p', serviceAccount: { client_email: email, private_key } });
const human: ChromeKey = { form: 'refresh_token', clientId: 'c', clientSecret: 's&=', refreshToken: '1//0r' };

let server: Server;
let tokenUrl: string;
let forms: URLSearchParams[];
let reply: (nth: number) => [status: number, body: object];
let now: Date;
let tokens: ChromeTokens;

beforeAll(async () => {
  server = createServer((req, res) => {
    void text(req).then((body) => {
      const [status, json] = reply(forms.push(new URLSearchParams(body)));
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

beforeEach(() => {
  [forms, now] = [[], new Date('2026-11-21T12:00:00.900Z')];
  reply = (nth) => [200, { access_token: `token-${nth}`, expires_in: 3599, token_type: 'Bearer' }];
  tokens = new ChromeTokens(tokenUrl, new HttpClient({ allowedHosts: [tokenUrl] }), { now: () => now });
});

const later = (seconds: number): void => {
  now = new Date(now.getTime() + seconds * 1000);
};

describe('exchanging a credential', () => {
  it("signs an assertion for Google's audience, from one reading of the clock", async () => {
    expect(await tokens.exchange(account(pem))).toBe('token-1');
    expect(forms[0]?.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const { payload, protectedHeader } = await jwtVerify(forms[0]?.get('assertion') ?? '', publicKey, {
      audience: 'https://oauth2.googleapis.com/token',
      issuer: email,
      algorithms: ['RS256'],
      currentDate: now,
    });
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT' });
    const iat = Math.floor(now.getTime() / 1000) - 60;
    const scope = 'https://www.googleapis.com/auth/chromewebstore';
    expect(payload).toMatchObject({ scope, iat, exp: iat + 3600 });
  });

  it('sends a refresh token as a form', async () => {
    await tokens.exchange(human);
    expect(Object.fromEntries(forms[0] ?? [])).toEqual({
      grant_type: 'refresh_token',
      client_id: 'c',
      client_secret: 's&=',
      refresh_token: '1//0r',
    });
  });

  it('accepts a key with escaped line breaks', async () => {
    expect(await tokens.exchange(account(pem.replaceAll('\n', '\\n')))).toBe('token-1');
  });

  it.each([
    ['text', 'garbage'],
    ['a PEM of garbage', pem.replace(/[a-z]/g, 'A')],
    ['a key of another form', pem.replaceAll('PRIVATE', 'RSA PRIVATE')],
    ['a key that is too short', pair(1024).pem],
    ['nothing', ''],
  ])('fails with a clear message and without a request when the key is %s', async (_, private_key) => {
    const message = expect.stringMatching(/private_key cannot be read\. It must be .* of at least 2048 bits/);
    await expect(tokens.exchange(account(private_key))).rejects.toMatchObject({ kind: 'credential', message });
    expect(forms).toEqual([]);
  });

  it.each<[number, object]>([
    [200, {}],
    [200, { access_token: '', expires_in: 3599 }],
    [200, { access_token: 'a\nb', expires_in: 3599 }],
    [201, { access_token: 'a', expires_in: 3599 }],
  ])('returns no token for %i %o', async (status, body) => {
    reply = () => [status, body];
    await expect(tokens.exchange(human)).rejects.toMatchObject({ kind: 'retry' });
  });
});

describe('caching tokens', () => {
  it('uses a token until a minute before it expires', async () => {
    expect(await tokens.get(human)).toBe('token-1');
    later(3538);
    expect(await tokens.get(human)).toBe('token-1');
    later(1);
    expect(await tokens.get(human)).toBe('token-2');
  });

  it('keeps one token for each credential', async () => {
    const others: ChromeKey[] = [{ ...human, refreshToken: 'x' }, { ...human, clientId: 'x' }, account(pem)];
    for (const key of [human, ...others]) await tokens.get(key);
    expect(await Promise.all([human, ...others].map((key) => tokens.get(key)))).toEqual([
      'token-1',
      'token-2',
      'token-3',
      'token-4',
    ]);
  });

  it('does not cache a token without a lifetime', async () => {
    reply = (nth) => [200, { access_token: `token-${nth}` }];
    expect([await tokens.get(human), await tokens.get(human)]).toEqual(['token-1', 'token-2']);
  });

  it('shares one exchange between concurrent calls, and repeats it after a failure', async () => {
    reply = () => [503, {}];
    const results = await Promise.allSettled([tokens.get(human), tokens.get(human)]);
    expect(results.map((one) => one.status)).toEqual(['rejected', 'rejected']);
    expect(forms).toHaveLength(1);
    reply = () => [200, { access_token: 'token', expires_in: 3599 }];
    expect(await Promise.all([tokens.get(human), tokens.get(human), tokens.exchange(human)])).toEqual([
      'token',
      'token',
      'token',
    ]);
    expect(forms).toHaveLength(2);
  });

  it('removes a refused token, but not its successor', async () => {
    const first = await tokens.get(human);
    tokens.invalidate(human, first);
    const second = await tokens.get(human);
    tokens.invalidate(human, first);
    expect([second, await tokens.get(human)]).toEqual(['token-2', 'token-2']);
  });
});
