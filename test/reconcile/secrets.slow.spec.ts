import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultOptions } from '../../sandbox/sandbox-control.js';
import { startWorld, type World } from '../support/app.js';
import { HOUR } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { Author } from './author.js';

const REFRESH_TOKEN = '1//0MARKEDrefreshtokenofahuman';
/** Like nothing that is known to be a secret. */
const CLIENT_SECRET = 'MARKED words of the OAuth client';
const UNREMARKABLE = 'MARKED secret of no known look';
const ECHOED = 'ya29.MARKEDaccesstokenthatthestoreechoes';

/**
 * Faults in which the store is as careless as it can be with what it was sent.
 * @param plain a part of the credentials, of no known look
 */
const careless = (plain: string): readonly Omit<FaultOptions, 'match' | 'itemId'>[] => [
  { kind: 'status', status: 400, body: { error: { code: 400, message: `Who is ${plain}?`, details: [plain] } } },
  { kind: 'status', status: 400, body: { error: { code: 400, message: `Bad token ${ECHOED}`, access_token: ECHOED } } },
  { kind: 'status', status: 503, body: `<p>Authorization: Bearer ${ECHOED} refresh_token=${REFRESH_TOKEN}</p>` },
  { kind: 'body', body: { error: 'invalid_request', error_description: `${REFRESH_TOKEN} and ${plain}` } },
  { kind: 'status', status: 401, body: { error: { code: 401, client_secret: UNREMARKABLE, token: UNREMARKABLE } } },
  { kind: 'body', body: `{"refresh_token":"${REFRESH_TOKEN}","client_secret":"${CLIENT_SECRET}"` },
  { kind: 'drop-after' },
];

describe('the secrets of a tenant', () => {
  const secrets = new Set([REFRESH_TOKEN, CLIENT_SECRET, UNREMARKABLE, ECHOED]);
  const answers: string[] = [];
  const { fetch } = globalThis;
  let world: World;

  /** Listens to all that is said over HTTP in this process: what Pierhead answers, and the secrets it exchanges with the store. */
  const overhear = async (url: string, body: unknown, response: Response): Promise<void> => {
    if (url.startsWith(world.sandbox.env['CHROME_TOKEN_URL'] ?? '')) {
      const form = new URLSearchParams(String(body));
      for (const name of ['assertion', 'refresh_token', 'client_secret']) secrets.add(form.get(name) ?? ECHOED);
      const { access_token: token } = (await response.json().catch(() => ({}))) as { readonly access_token?: string };
      secrets.add(token ?? ECHOED);
    }
    if (url.startsWith(world.url) && !url.endsWith('/access-tokens')) answers.push(await response.text());
  };

  beforeAll(async () => {
    world = await startWorld();
    globalThis.fetch = async (input, init) => {
      const response = await fetch(input, init);
      await overhear(input instanceof Request ? input.url : String(input), init?.body, response.clone());
      return response;
    };
  });
  afterAll(async () => {
    globalThis.fetch = fetch;
    await world.close();
  });

  /** Publishes a version through one fault after the other. */
  const suffer = async (author: Author, plain: string): Promise<void> => {
    await author.push('1.0.0');
    for (const operation of ['token', 'fetchStatus', 'upload', 'publish'])
      for (const fault of careless(plain)) {
        await author.revoke('accessTokens');
        await author.fault(operation, { ...fault, times: 2 });
        await author.plan();
        await author.reconcile();
        await world.forward(HOUR);
        await world.control.clearFaults();
      }
    await author.status();
    expect((await author.events()).length).toBeGreaterThan(15);
  };

  it('appear in no log line, event or answer, whatever the store does with them', async () => {
    const author = await Author.in(world);
    const lines = author.privateKey.split('\n').slice(1, -2);
    for (const line of lines) secrets.add(line);
    await suffer(author, lines[2] ?? '');
    await author.revoke();
    await author.reconcile();

    const human = await Author.in(world);
    const { publisherId, oauth } = await world.control.chromeAccount({
      publisherId: human.mine.publisherId,
      oauth: { refreshToken: REFRESH_TOKEN, clientSecret: CLIENT_SECRET },
    });
    const credentials = { publisherId, ...oauth };
    const path = `/credentials/${human.mine.credentialId}`;
    expectStatus(await world.api.as(human.mine).patch(path, { credentials }), 200);
    await suffer(human, CLIENT_SECRET);
    const wrong = { ...credentials, clientSecret: `${CLIENT_SECRET}-mistyped` };
    expectStatus(await world.api.as(human.mine).patch(path, { credentials: wrong }), 422);
    await human.revoke();
    await human.reconcile();

    for (const { password, cookie, token } of [author.mine, human.mine])
      for (const secret of [password, cookie.split('=')[1] ?? '', token]) secrets.add(secret);
    expect(secrets.size).toBeGreaterThan(40);
    const told = [...world.log, ...answers].join('\n');
    expect(told).toContain('[redacted]');
    expect([...secrets].filter((secret) => told.includes(secret))).toEqual([]);
    expect(told).not.toMatch(/MARKED|BEGIN PRIVATE KEY/);
  });
});
