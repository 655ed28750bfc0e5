import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jwtVerify } from 'jose';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { HttpClient } from '../../common/net/index.js';
import { StoreFailure, type FailureKind } from '../failures/store-failure.js';
import {
  DEFAULT_SUBMIT_OPTIONS,
  type StepOutcome,
  type StoreItem,
  type StorePackage,
  type StoreStep,
} from '../store.js';
import { FirefoxStore } from './firefox.store.js';

interface Asked {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Reply = object | readonly [status: number, body: unknown, headers?: Record<string, string>] | 'drop';

const NOW = new Date('2026-11-21T12:00:00.900Z');
const NOW_SECONDS = Math.floor(NOW.getTime() / 1000);
const credentials = { issuer: 'user:1:2', secret: 'a "secret" of some length' };
const item: StoreItem = {
  storeItemId: '{a}',
  crxId: null,
  platforms: ['desktop'],
  channel: null,
  handles: { upload: 'abc' },
};
const SITE = { read_only: false, notice: null };
const ADDON = { id: 1, guid: '{a}', status: 'public', is_disabled: false, current_version: { version: '1.0' } };
const NOT_FOUND = [404, { detail: 'Not found.' }] as const;
const UPLOAD = { uuid: 'abc', processed: true, valid: true, version: '1.1' };
const VERSION = { id: 7, version: '1.1', channel: 'listed', file: { status: 'unreviewed' } };
const TAKEN = [409, { version: ['Version 1.1 already exists.'] }] as const;
const CLOCK = [401, { detail: 'Signature has expired.' }, { date: 'Sat, 21 Nov 2026 13:00:00 GMT' }] as const;

let server: Server;
let origin: string;
let asked: Asked[];
let replies: Record<string, Reply[]>;
let store: FirefoxStore;

/** Answers each call with the next of its replies, by method and path below the API. */
async function answerCall(req: IncomingMessage): Promise<Reply> {
  const line = `${req.method} ${req.url?.replace('/api/v5', '').replace(/\?.*/, '')}`;
  asked.push({ line, headers: req.headers, body: await text(req) });
  return replies[line]?.shift() ?? (line === 'GET /site/' ? SITE : [500, {}]);
}

beforeAll(async () => {
  server = createServer((req, res) => {
    const answer = (reply: Reply): void => {
      if (reply === 'drop') return void req.socket.destroy();
      const [status, body, headers] = Array.isArray(reply) ? (reply as [number, unknown, object?]) : [200, reply];
      res.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
      res.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    // A client that gives up in the middle of its request wants no answer.
    answerCall(req).then(answer, () => res.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

beforeEach(() => {
  [asked, replies] = [[], {}];
  const http = new HttpClient({ allowedHosts: [origin] });
  store = new FirefoxStore({ apiUrl: `${origin}/api/v5/` }, http, { now: () => NOW });
});

const lines = (): string[] => asked.map((one) => one.line);
const carry = (step: StoreStep, at = item): Promise<StepOutcome> => store.carryOut(credentials, at, step);
const PATH = '/addons/addon/%7Ba%7D';

const pkg = (opened: Readable[] = [], open?: () => Promise<Readable>): StorePackage => ({
  version: '1.1',
  sha256: '0',
  size: 9,
  open:
    open ??
    (() => {
      const stream = Readable.from(['zip ', 'bytes']);
      opened.push(stream);
      return Promise.resolve(stream);
    }),
});
const uploadOf = (sent = pkg()): StoreStep => ({ step: 'upload', version: '1.1', package: sent });
const submit = { step: 'submit', version: '1.1', ...DEFAULT_SUBMIT_OPTIONS } as const;

/** Replies to what an upload reads first. */
const readable = (): Record<string, Reply[]> => ({
  [`GET ${PATH}/`]: [ADDON, ADDON],
  [`GET ${PATH}/versions/v1.1/`]: [NOT_FOUND, NOT_FOUND],
});

async function failure(work: Promise<unknown>, kind: FailureKind): Promise<StoreFailure> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreFailure);
  expect(error).toMatchObject({ kind });
  return error as StoreFailure;
}

async function claims({ headers }: Asked): Promise<{ iat: number; exp: number; jti: string; iss: string }> {
  const [prefix, token = ''] = headers.authorization?.split(' ') ?? [];
  expect(prefix).toBe('JWT');
  const secret = new TextEncoder().encode(credentials.secret);
  const verified = await jwtVerify(token, secret, { algorithms: ['HS256'], currentDate: NOW, clockTolerance: 7200 });
  expect(verified.protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' });
  return verified.payload as { iat: number; exp: number; jti: string; iss: string };
}

describe('a request', () => {
  it('has a token of its own, valid before and after the present time, and asks for English', async () => {
    replies['GET /accounts/profile/'] = [
      { id: 1, name: 'Owl' },
      { id: 1, username: 'owl' },
    ];
    expect(await store.verify(credentials)).toEqual({ identity: 'Owl (user:1:2)' });
    expect(await store.verify(credentials)).toEqual({ identity: 'owl (user:1:2)' });
    const [first, second] = await Promise.all(asked.map(claims));
    expect(first).toEqual({ iss: 'user:1:2', jti: expect.any(String), iat: NOW_SECONDS - 150, exp: NOW_SECONDS + 150 });
    expect(second?.jti).not.toBe(first?.jti);
    expect(asked[0]?.headers).toMatchObject({ accept: 'application/json', 'accept-language': 'en-US' });
  });

  it("is repeated once with the store's time when the token's time was refused", async () => {
    replies['GET /accounts/profile/'] = [CLOCK, { id: 1, name: 'Owl' }, CLOCK, CLOCK];
    await store.verify(credentials);
    const second = asked[1];
    const theirs = Date.parse('2026-11-21T13:00:00Z') / 1000;
    expect(second && (await claims(second))).toMatchObject({ iat: theirs - 5, exp: theirs + 295 });
    expect((await failure(store.verify(credentials), 'retry')).message).toMatch(/clock of this server/);
    expect(asked).toHaveLength(4);
  });

  it.each(['', '.', '..', '\uD800'])('is not made for an impossible id: %j', async (storeItemId) => {
    await failure(store.observe(credentials, { ...item, storeItemId }), 'config');
    expect(asked).toEqual([]);
  });

  it('cannot be redirected by an id', async () => {
    await failure(store.observe(credentials, { ...item, storeItemId: '../../x?y#z/ü' }), 'retry');
    expect(lines()).toEqual(['GET /addons/addon/..%2F..%2Fx%3Fy%23z%2F%C3%BC/']);
  });

  it('contains no secret, even when the store repeats it in any form', async () => {
    const { secret } = credentials;
    replies['GET /accounts/profile/'] = [
      [400, { [secret]: [secret], detail: { at: [`it is ${secret}`] } }],
      [400, secret],
    ];
    for (const _ of ['as JSON', 'as text']) {
      const { message, details } = await failure(store.verify(credentials), 'config');
      expect(message + JSON.stringify(details)).not.toMatch(/of some length/);
    }
  });
});

describe('an answer of another form is a failure, never an empty item', () => {
  it.each<[string, Record<string, Reply[]>]>([
    ['an add-on', { [`GET ${PATH}/`]: [{}] }],
    ['versions', { [`GET ${PATH}/`]: [ADDON], [`GET ${PATH}/versions/`]: [{}] }],
    ['versions as text', { [`GET ${PATH}/`]: [ADDON], [`GET ${PATH}/versions/`]: [[200, 'OK']] }],
  ])('for %s', async (_, given) => {
    replies = given;
    await failure(store.observe(credentials, { ...item, handles: {} }), 'retry');
  });

  it.each<[string, StoreStep, Record<string, Reply[]>]>([
    ['an upload', uploadOf(), { ...readable(), 'POST /addons/upload/': [{}] }],
    ['a version', submit, { [`POST ${PATH}/versions/`]: [[201, {}]] }],
    ['a version that is a complaint', submit, { [`POST ${PATH}/versions/`]: [[201, { detail: 'Not found.' }]] }],
  ])('for %s', async (_, step, given) => {
    replies = given;
    await failure(carry(step), 'retry');
  });

  it('for a user', async () => {
    replies['GET /accounts/profile/'] = [{}, [200, '<html>']];
    await failure(store.verify(credentials), 'retry');
    await failure(store.verify(credentials), 'retry');
  });
});

describe('uploading', () => {
  it('reads first, and sends a form with its length', async () => {
    replies = { ...readable(), 'POST /addons/upload/': [[201, { ...UPLOAD, processed: false }]] };
    const opened: Readable[] = [];
    expect(await carry(uploadOf(pkg(opened)))).toMatchObject({ outcome: 'pending', handles: { upload: 'abc' } });
    expect(lines()).toEqual(['GET /site/', `GET ${PATH}/`, `GET ${PATH}/versions/v1.1/`, 'POST /addons/upload/']);
    const { headers, body } = asked[3] ?? { headers: {}, body: '' };
    expect(headers['content-length']).toBe(String(body.length));
    expect(headers['transfer-encoding']).toBeUndefined();
    expect(body).toMatch(/name="channel"\r\n\r\nlisted\r\n/);
    expect(body).toMatch(/name="upload"; filename="extension\.zip"\r\n.*\r\n\r\nzip bytes\r\n--/);
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });

  it('opens the package again for a new token', async () => {
    replies = { ...readable(), 'POST /addons/upload/': [CLOCK, [201, UPLOAD]] };
    expect((await carry(uploadOf())).outcome).toBe('done');
    expect(asked.filter(({ body }) => body.includes('zip bytes'))).toHaveLength(2);
  });

  it('is retried when the package cannot be read or has another length', async () => {
    replies = readable();
    await failure(carry(uploadOf(pkg([], () => Promise.reject(new Error('gone'))))), 'retry');
    replies = readable();
    const short = Readable.from(['zip']);
    await failure(carry(uploadOf(pkg([], () => Promise.resolve(short)))), 'retry');
    expect(short.destroyed).toBe(true);
  });

  it('fails when AMO reads another version from the package', async () => {
    replies = {
      ...readable(),
      'POST /addons/upload/': [
        [201, { ...UPLOAD, version: '1.2' }],
        [201, UPLOAD],
      ],
    };
    expect((await failure(carry(uploadOf()), 'artifact')).message).toMatch(/1\.1, .* 1\.2/);
  });

  it("continues when the site's state is unreadable, but not when the site cannot be reached", async () => {
    replies = { ...readable(), 'GET /site/': [[500, '<html>'], 'drop'], 'POST /addons/upload/': [[201, UPLOAD]] };
    expect((await carry(uploadOf())).outcome).toBe('done');
    await failure(carry(uploadOf()), 'retry');
  });
});

describe('submitting', () => {
  it('needs one call without release notes or sources', async () => {
    replies[`POST ${PATH}/versions/`] = [[201, VERSION]];
    expect(await carry(submit)).toMatchObject({
      outcome: 'done',
      handles: { version: '7' },
      note: 'Version 1.1 was sent for review.',
    });
    expect(lines()).toEqual(['GET /site/', `POST ${PATH}/versions/`]);
    expect(JSON.parse(asked[1]?.body ?? '')).toEqual({ upload: 'abc' });
  });

  it.each<[string, object, FailureKind | 'done']>([
    ['waits for its review', VERSION, 'done'],
    ['is signed', { ...VERSION, file: { status: 'public' } }, 'done'],
    ['is in a state that no document names', { ...VERSION, file: { status: 'odd' } }, 'done'],
    ['was rejected', { ...VERSION, file: { status: 'disabled' } }, 'artifact'],
    ['is of the other channel', { ...VERSION, channel: 'unlisted' }, 'artifact'],
  ])('resolves a 409 by the state of the version: it %s', async (_, held, meaning) => {
    replies = { [`POST ${PATH}/versions/`]: [TAKEN], [`GET ${PATH}/versions/v1.1/`]: [held] };
    if (meaning === 'done') expect((await carry(submit)).outcome).toBe('done');
    else await failure(carry(submit), meaning);
  });

  it('does not submit a version without an upload', async () => {
    replies[`GET ${PATH}/versions/v1.1/`] = [NOT_FOUND, VERSION];
    await failure(carry(submit, { ...item, handles: {} }), 'retry');
    expect((await carry(submit, { ...item, handles: {} })).outcome).toBe('done');
    expect(lines()).not.toContain(`POST ${PATH}/versions/`);
  });

  it('sends release notes in a default language when the add-on has none', async () => {
    replies = {
      [`GET ${PATH}/`]: [{ ...ADDON, default_locale: 'de' }, ADDON],
      [`POST ${PATH}/versions/`]: [VERSION, VERSION],
    };
    for (const _ of ['named', 'not named']) await carry({ ...submit, notes: 'Neu.' });
    const sent = asked.filter(({ line }) => line.startsWith('POST')).map(({ body }) => JSON.parse(body) as object);
    expect(sent).toEqual([
      { upload: 'abc', release_notes: { de: 'Neu.' } },
      { upload: 'abc', release_notes: { 'en-US': 'Neu.' } },
    ]);
  });
});

describe('rolling back', () => {
  const step = { step: 'rollback', version: '1.2', to: '1.0', reason: 'Crashes.' } as const;

  it.each<[string, Reply]>([
    ['says nothing', [202, '']],
    ['says something', [202, { id: 1 }]],
  ])('is pending when AMO %s', async (_, reply) => {
    replies[`GET ${PATH}/versions/`] = [{ results: [] }];
    replies[`POST ${PATH}/versions/v1.0/rollback/`] = [reply];
    expect((await carry(step)).outcome).toBe('pending');
    expect(JSON.parse(asked[2]?.body ?? '')).toEqual({ new_version_string: '1.2' });
  });

  it('is retried when AMO redirects', async () => {
    replies[`GET ${PATH}/versions/`] = [{ results: [] }];
    replies[`POST ${PATH}/versions/v1.0/rollback/`] = [[302, '']];
    await failure(carry(step), 'retry');
  });
});
