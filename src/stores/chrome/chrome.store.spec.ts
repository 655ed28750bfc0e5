import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { HttpClient } from '../../common/net/index.js';
import { StoreFailure, type FailureKind } from '../failures/store-failure.js';
import {
  known,
  DEFAULT_SUBMIT_OPTIONS,
  UNKNOWN,
  type StepOutcome,
  type StoreItem,
  type StoreStep,
  type SubmitOptions,
} from '../store.js';
import type { ChromeCredentials } from './chrome.credentials.js';
import { ChromeStore } from './chrome.store.js';

interface Asked {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Reply = object | readonly [status: number, body: unknown, headers?: Record<string, string>] | 'drop';

const NOW = new Date('2026-11-21T12:00:00Z');
const human: ChromeCredentials = { publisherId: 'pub', clientId: 'c', clientSecret: 's&=', refreshToken: '1//0r' };
const item: StoreItem = { storeItemId: 'abcdef', crxId: null, platforms: ['desktop'], channel: null, handles: {} };
const STATUS = { name: 'publishers/pub/items/abcdef', itemId: 'abcdef' };
const NOTHING_TO_CANCEL = [
  400,
  { error: { code: 400, status: 'FAILED_PRECONDITION', message: 'Nothing to cancel.' } },
] as const;
const UNAUTHENTICATED = [401, { error: { code: 401, status: 'UNAUTHENTICATED', message: 'Bad token.' } }] as const;

let server: Server;
let origin: string;
let asked: Asked[];
let replies: Record<string, Reply[]>;
let issued: number;
let store: ChromeStore;

/** Answers each call with the next of its replies, and the token endpoint with a token unless a reply is given for it. */
async function answerCall(req: IncomingMessage): Promise<Reply> {
  const body = await text(req);
  asked.push({ line: `${req.method} ${req.url}`, headers: req.headers, body });
  const [path = ''] = req.url?.split('?') ?? [];
  const call = path.includes(':') ? (path.split(':').at(-1) ?? '') : path.slice(1);
  const reply = replies[call]?.shift();
  if (reply !== undefined) return reply;
  return call === 'token' ? { access_token: `token-${++issued}`, expires_in: 3599, token_type: 'Bearer' } : [500, {}];
}

beforeAll(async () => {
  server = createServer((req, res) => {
    void answerCall(req).then((reply) => {
      if (reply === 'drop') return void req.socket.destroy();
      const [status, body, headers] = Array.isArray(reply) ? (reply as [number, unknown, object?]) : [200, reply];
      res.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
      res.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

beforeEach(() => {
  [asked, replies, issued] = [[], {}, 0];
  const http = new HttpClient({ allowedHosts: [origin] });
  const urls = { apiUrl: `${origin}/`, tokenUrl: `${origin}/token`, updateUrl: `${origin}/update?hl=en` };
  store = new ChromeStore(urls, http, { now: () => NOW });
});

const lines = (): string[] => asked.map((one) => one.line);
const carry = (step: StoreStep, at = item): Promise<StepOutcome> => store.carryOut(human, at, step);

function uploadOf(version: string, opened: Readable[] = []): StoreStep {
  const open = (): Promise<Readable> => {
    const stream = Readable.from(['zip ', 'bytes']);
    opened.push(stream);
    return Promise.resolve(stream);
  };
  return { step: 'upload', version, package: { version, sha256: '0', size: 9, open } };
}

async function failure(work: Promise<unknown>, kind: FailureKind): Promise<StoreFailure> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreFailure);
  expect(error).toMatchObject({ kind });
  return error as StoreFailure;
}

describe('verifying a credential', () => {
  it('requests a new token each time, and nothing else', async () => {
    expect(await store.verify(human)).toEqual({ identity: 'c', account: 'pub', isAccountProven: false });
    replies['token'] = [[400, { error: 'invalid_grant', error_description: 'Revoked.' }]];
    expect((await failure(store.verify(human), 'credential')).message).toContain('Revoked.');
    expect(lines()).toEqual(['POST /token', 'POST /token']);
  });

  it('fails when the key cannot be read', async () => {
    const broken = { publisherId: 'pub', serviceAccount: { client_email: 'a@b', private_key: 'garbage' } };
    await failure(store.verify(broken), 'credential');
  });

  it('is retried when Google drops the call or sends a web page', async () => {
    replies['token'] = ['drop', [403, '<html>'], [503, {}, { 'retry-after': '60' }]];
    expect((await failure(store.verify(human), 'retry')).message).toMatch(
      /could not be reached: POST 127.*\/token failed/,
    );
    await failure(store.verify(human), 'retry');
    const { details } = await failure(store.verify(human), 'retry');
    expect(details.retryAt).toEqual(new Date(NOW.getTime() + 60_000));
  });
});

describe('a refused access token', () => {
  it('is renewed exactly once', async () => {
    replies['fetchStatus'] = [UNAUTHENTICATED, STATUS, UNAUTHENTICATED, [200, { error: { code: 401 } }]];
    await store.observe(human, item);
    await failure(store.observe(human, item), 'credential');
    const used = asked.filter((one) => one.line !== 'POST /token').map((one) => one.headers.authorization);
    expect(used).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-2', 'Bearer token-3']);
  });
});

describe('observing', () => {
  it('reads the item of its publisher, and encodes both ids', async () => {
    replies['fetchStatus'] = [
      { ...STATUS, submittedItemRevisionStatus: { state: 'STAGED', distributionChannels: [{ crxVersion: '2' }] } },
    ];
    const seen = await store.observe(human, { ...item, storeItemId: '../a:publish?x=#ü' });
    expect(asked[1]?.line).toBe('GET /v2/publishers/pub/items/..%2Fa%3Apublish%3Fx%3D%23%C3%BC:fetchStatus');
    expect(seen).toMatchObject({ live: known(null), submission: known({ version: '2', state: 'approved' }) });
  });

  it.each(['', '\uD800'])('refuses an impossible id', async (storeItemId) => {
    await failure(store.observe(human, { ...item, storeItemId }), 'config');
    expect(asked).toEqual([]);
  });

  it('treats an unexpected answer as a failure, never as an empty item', async () => {
    replies['fetchStatus'] = [{}, [200, 'OK'], [404, { error: { code: 404, message: 'Not found.' } }]];
    await failure(store.observe(human, item), 'retry');
    await failure(store.observe(human, item), 'retry');
    await failure(store.observe(human, item), 'config');
  });
});

describe('the update service', () => {
  const ID = 'abcdefghijklmnopabcdefghijklmnop';
  const item32 = { ...item, storeItemId: ID };
  const unclear = { ...STATUS, publishedItemRevisionStatus: { state: 'SOMEWHAT_PUBLISHED' } };
  const offering = (attributes: string): Reply => [
    200,
    `<?xml version="1.0"?><gupdate><app appid="other" status="ok"><updatecheck status="ok" version="9"/></app>` +
      `<app appid="${ID}" status="ok"><updatecheck ${attributes}/></app></gupdate>`,
  ];

  it('is read, without a credential, when the API does not report the live version', async () => {
    replies['fetchStatus'] = [unclear];
    replies['update'] = [offering('codebase="https://x/v9.crx" status="ok" version="1.2.3"')];
    expect(await store.observe(human, item32)).toMatchObject({
      live: known('1.2.3'),
      raw: { status: unclear, updateService: '1.2.3' },
    });
    const { line, headers } = asked.at(-1) ?? { line: '', headers: {} };
    const query = new URL(line.slice(4), origin).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({ hl: 'en', response: 'updatecheck', x: `id=${ID}&uc` });
    expect(headers.authorization).toBeUndefined();
  });

  it('is not read when the API reports the live version', async () => {
    replies['fetchStatus'] = [STATUS];
    await store.observe(human, item32);
    expect(lines().some((line) => line.includes('/update'))).toBe(false);
  });

  it.each<[string, Reply]>([
    ['knows no such item', offering('status="error-unknownApplication"')],
    ['has no update', offering('status="noupdate"')],
    ['names no version that is one', offering('status="ok" version="soon"')],
    ['speaks of others', [200, '<gupdate><app appid="other"><updatecheck status="ok" version="9"/></app></gupdate>']],
    ['fails', [500, '']],
    ['is gone', 'drop'],
  ])('does not make the version known when it %s', async (_, reply) => {
    replies['fetchStatus'] = [unclear];
    replies['update'] = [reply];
    expect((await store.observe(human, item32)).live).toEqual(UNKNOWN);
  });
});

describe('uploading', () => {
  it('streams the package with the headers that the store expects', async () => {
    replies['upload'] = [{ ...STATUS, uploadState: 'SUCCEEDED', crxVersion: '1.2' }];
    const opened: Readable[] = [];
    expect(await carry(uploadOf('1.2', opened))).toMatchObject({
      outcome: 'done',
      note: 'Chrome accepted version 1.2.',
    });
    expect(asked[1]).toMatchObject({ line: 'POST /upload/v2/publishers/pub/items/abcdef:upload', body: 'zip bytes' });
    expect(asked[1]?.headers).toMatchObject({
      'transfer-encoding': 'chunked',
      'x-goog-upload-protocol': 'raw',
      'x-goog-upload-file-name': 'extension.zip',
    });
    expect(asked[1]?.headers['content-type']).toBeUndefined();
    expect(opened.map((stream) => stream.destroyed)).toEqual([true]);
  });

  it('opens the package again when the token has to be renewed', async () => {
    replies['upload'] = [UNAUTHENTICATED, { uploadState: 'SUCCEEDED' }];
    expect((await carry(uploadOf('1'))).outcome).toBe('done');
    expect(asked.filter((one) => one.body === 'zip bytes')).toHaveLength(2);
  });

  it.each<[string, FailureKind | 'pending']>([
    ['IN_PROGRESS', 'pending'],
    ['UPLOAD_IN_PROGRESS', 'pending'],
    ['A_NEW_STATE', 'pending'],
    ['FAILED', 'artifact'],
    ['NOT_FOUND', 'config'],
  ])('%s is %s', async (uploadState, meaning) => {
    replies['upload'] = [{ ...STATUS, uploadState }];
    if (meaning === 'pending') expect((await carry(uploadOf('1'))).outcome).toBe('pending');
    else await failure(carry(uploadOf('1')), meaning);
  });

  it('fails when Chrome reads another version from the package', async () => {
    replies['upload'] = [
      { uploadState: 'SUCCEEDED', crxVersion: '1.3' },
      { uploadState: 'SUCCEEDED', crxVersion: '1.2' },
    ];
    expect((await failure(carry(uploadOf('1.2')), 'artifact')).message).toMatch(/1\.2, .* 1\.3/);
    expect((await carry(uploadOf('1.2.0'))).outcome).toBe('done');
  });

  it('is retried when the package cannot be opened or the connection drops', async () => {
    replies['upload'] = ['drop'];
    await failure(carry(uploadOf('1')), 'retry');
    const open = (): Promise<Readable> => Promise.reject(new Error('gone'));
    await failure(
      carry({ step: 'upload', version: '1', package: { version: '1', sha256: '0', size: 1, open } }),
      'retry',
    );
  });

  it.each<[object, FailureKind | StepOutcome['outcome']]>([
    [{ lastAsyncUploadState: 'SUCCEEDED' }, 'done'],
    [{ lastAsyncUploadState: 'IN_PROGRESS' }, 'pending'],
    [{}, 'pending'],
    [{ lastAsyncUploadState: 'FAILED' }, 'artifact'],
  ])('polls: %o is %s', async (state, meaning) => {
    replies['fetchStatus'] = [{ ...STATUS, ...state }];
    const polled = carry({ step: 'poll', version: '1' });
    if (meaning === 'artifact') await failure(polled, meaning);
    else expect((await polled).outcome).toBe(meaning);
  });
});

describe('submitting, releasing and cancelling', () => {
  it.each<[StoreStep, string, string, string]>([
    [
      { step: 'submit', version: '1', ...DEFAULT_SUBMIT_OPTIONS },
      'DEFAULT_PUBLISH',
      'PENDING_REVIEW',
      'was sent for review',
    ],
    [
      { step: 'submit', version: '1', ...DEFAULT_SUBMIT_OPTIONS, staged: true },
      'STAGED_PUBLISH',
      'STAGED',
      'ready to be released',
    ],
    [
      { step: 'submit', version: '1', ...DEFAULT_SUBMIT_OPTIONS },
      'DEFAULT_PUBLISH',
      'A_NEW_STATE',
      'does not document',
    ],
    [{ step: 'release', version: '1' }, 'DEFAULT_PUBLISH', 'PUBLISHED', 'is published'],
  ])('%o publishes as %s', async (step, publishType, state, note) => {
    replies['publish'] = [{ ...STATUS, state }];
    expect(await carry(step)).toMatchObject({ outcome: 'done', note: expect.stringContaining(note) });
    expect(asked[1]).toMatchObject({
      line: 'POST /v2/publishers/pub/items/abcdef:publish',
      body: JSON.stringify({ publishType }),
    });
  });

  it('adds the warnings to the note', async () => {
    const warnings = [{ reason: 'BROAD_HOSTS', description: 'Wide access.' }, { reason: 'OTHER' }, null];
    replies['publish'] = [{ ...STATUS, state: 'PENDING_REVIEW', warningInfo: { warnings } }];
    const { note } = await carry({ step: 'submit', version: '1', ...DEFAULT_SUBMIT_OPTIONS });
    expect(note).toBe('Version 1 was sent for review. Chrome warns: BROAD_HOSTS: Wide access.; OTHER.');
  });

  it('withdraws, and succeeds when there is nothing to withdraw', async () => {
    replies['cancelSubmission'] = [{}, NOTHING_TO_CANCEL, NOTHING_TO_CANCEL];
    const inReview = { state: 'PENDING_REVIEW', distributionChannels: [{ crxVersion: '1' }] };
    replies['fetchStatus'] = [STATUS, { ...STATUS, submittedItemRevisionStatus: inReview }];
    expect(await carry({ step: 'cancel', version: '1' })).toMatchObject({
      outcome: 'done',
      note: 'Version 1 was withdrawn from review.',
    });
    expect(asked[1]).toMatchObject({ line: 'POST /v2/publishers/pub/items/abcdef:cancelSubmission', body: '{}' });
    expect((await carry({ step: 'cancel', version: '1' })).outcome).toBe('done');
    await failure(carry({ step: 'cancel', version: '1' }), 'config');
  });
});

describe('submitting with options', () => {
  const submit = (how: Partial<SubmitOptions>) =>
    carry({ step: 'submit', version: '1', ...DEFAULT_SUBMIT_OPTIONS, ...how });
  const bodies = (): unknown[] =>
    asked.filter(({ line }) => line.endsWith(':publish')).map(({ body }) => JSON.parse(body));
  const IN_REVIEW = { ...STATUS, state: 'PENDING_REVIEW' };
  const refused = (message: string, status = 'INVALID_ARGUMENT'): Reply => [
    400,
    { error: { code: 400, status, message } },
  ];

  it('sends the percentage, the staged publish and skipReview only when they are set', async () => {
    replies['publish'] = [IN_REVIEW, { ...STATUS, state: 'PUBLISHED' }];
    await submit({ rolloutPercent: 5, staged: true });
    expect((await submit({ skipReview: true })).note).toBe('Version 1 is published.');
    expect(bodies()).toEqual([
      { publishType: 'STAGED_PUBLISH', deployInfos: [{ deployPercentage: 5 }] },
      { publishType: 'DEFAULT_PUBLISH', skipReview: true },
    ]);
  });

  it('is sent for review when the store requires one, and says so', async () => {
    replies['publish'] = [refused('The item does not qualify to skip review.'), IN_REVIEW];
    const { outcome, note } = await submit({ skipReview: true, rolloutPercent: 10 });
    expect(outcome).toBe('done');
    expect(note).toMatch(/^Version 1 was sent for review\. The review could not be skipped: .*does not qualify/);
    const deployInfos = [{ deployPercentage: 10 }];
    expect(bodies()).toEqual([
      { publishType: 'DEFAULT_PUBLISH', deployInfos, skipReview: true },
      { publishType: 'DEFAULT_PUBLISH', deployInfos },
    ]);
  });

  it('does not submit again when the refusal is not about the review', async () => {
    replies['publish'] = [
      refused('You may not edit or publish an item that is in review.', 'FAILED_PRECONDITION'),
      [503, {}],
      refused('Publish condition not met: no icon.'),
      refused('Publish condition not met: no icon.'),
    ];
    await failure(submit({ skipReview: true }), 'wait');
    await failure(submit({ skipReview: true }), 'retry');
    expect(bodies()).toHaveLength(2);
    expect((await failure(submit({ skipReview: true }), 'config')).message).toContain('no icon');
  });
});

describe('a rollout', () => {
  const live = (crxVersion: string, deployPercentage?: number): object => ({
    ...STATUS,
    publishedItemRevisionStatus: { state: 'PUBLISHED', distributionChannels: [{ crxVersion, deployPercentage }] },
  });
  const raise = (percent: number) => carry({ step: 'rollout', version: '1.2', percent });
  const LOWER = [
    400,
    { error: { code: 400, message: 'The percentage must be larger, and the version newer.' } },
  ] as const;

  it('raises the percentage', async () => {
    replies['setPublishedDeployPercentage'] = [{}];
    expect(await raise(50)).toMatchObject({ outcome: 'done', note: 'Version 1.2 is offered to 50 % of users.' });
    expect(asked[1]?.body).toBe('{"deployPercentage":50}');
  });

  it.each<[number, object]>([
    [50, live('1.2', 50)],
    [100, live('1.2.0')],
    [100, live('1.2', 100)],
  ])('to %i has already taken effect when an answer was lost: %o', async (percent, status) => {
    replies['setPublishedDeployPercentage'] = [LOWER];
    replies['fetchStatus'] = [status];
    expect((await raise(percent)).outcome).toBe('done');
  });

  it.each([live('1.2', 60), live('1.2'), live('1.3', 50), STATUS])(
    'that the store refuses is for a person: %o',
    async (status) => {
      replies['setPublishedDeployPercentage'] = [LOWER];
      replies['fetchStatus'] = [status];
      expect((await failure(raise(50), 'config')).message).toContain('larger');
    },
  );

  it('is retried after a transient error', async () => {
    replies['setPublishedDeployPercentage'] = [[503, {}], 'drop'];
    await failure(raise(50), 'retry');
    await failure(raise(50), 'retry');
    expect(lines().some((line) => line.endsWith(':fetchStatus'))).toBe(false);
  });
});

describe('a rollback', () => {
  const back = () => carry({ step: 'rollback', version: '1.3', to: '1.1', reason: 'It broke.' });
  const asks = (): unknown[] =>
    asked.filter(({ line }) => line.endsWith(':rollback')).map(({ body }) => JSON.parse(body));
  const ORDER = { targetCrxVersion: '1.1', newVersion: '1.3', rollbackReason: 'It broke.' };
  const TOO_LOW = [
    400,
    { error: { code: 400, message: 'The new version must be larger than the published version.' } },
  ] as const;
  const live = (crxVersion: string): object => ({
    ...STATUS,
    publishedItemRevisionStatus: { state: 'PUBLISHED', distributionChannels: [{ crxVersion }] },
  });

  it('is validated before it is made', async () => {
    replies['rollback'] = [{}, {}];
    expect(await back()).toMatchObject({ outcome: 'done', note: 'Version 1.1 is published again as 1.3.' });
    expect(asks()).toEqual([
      { ...ORDER, validateOnly: true },
      { ...ORDER, validateOnly: false },
    ]);
  });

  it('is not made when its validation fails', async () => {
    replies['rollback'] = [TOO_LOW];
    replies['fetchStatus'] = [live('1.4')];
    expect((await failure(back(), 'config')).message).toContain('larger');
    expect(asks()).toHaveLength(1);
  });

  it('whose answer was lost is done, and not made again', async () => {
    replies['rollback'] = [{}, 'drop', TOO_LOW];
    await failure(back(), 'retry');
    replies['fetchStatus'] = [live('1.3')];
    expect((await back()).outcome).toBe('done');
    expect(asks().map((ask) => (ask as { validateOnly: boolean }).validateOnly)).toEqual([true, false, true]);
  });

  it.each<Reply>([
    [404, '<!DOCTYPE html>'],
    [404, { error: { code: 404, status: 'NOT_FOUND', message: 'Not found.' } }],
    [501, { error: { code: 501, status: 'UNIMPLEMENTED', message: 'Not implemented.' } }],
  ])('that the store does not offer needs a person: %o', async (...reply) => {
    replies['rollback'] = [reply];
    expect((await failure(back(), 'config')).message).toMatch(/does not offer a rollback/);
    expect(asks()).toHaveLength(1);
  });
});
