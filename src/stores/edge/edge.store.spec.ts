import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { HttpClient } from '../../common/net/index.js';
import { StoreFailure, type FailureKind } from '../failures/store-failure.js';
import { known, DEFAULT_SUBMIT_OPTIONS, UNKNOWN, type StepOutcome, type StoreItem, type StoreStep } from '../store.js';
import { EdgeStore } from './edge.store.js';

interface Asked {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Reply = readonly [status: number, body: unknown, headers?: Record<string, string>] | 'drop';

const NOW = new Date('2026-11-21T12:00:00Z');
const KEY = 'MARKED/key+0123456789==';
const owner = { clientId: 'client', apiKey: KEY };
const PRODUCT = 'd34f98f5-f9b7-42b1-bebb-98707202b21d';
const CRX = 'abcdefghijklmnopabcdefghijklmnop';
const item: StoreItem = { storeItemId: PRODUCT, crxId: CRX, platforms: ['desktop'], channel: null, handles: {} };
const SUBMISSIONS = `/v1/products/${PRODUCT}/submissions`;
const NOBODY = '00000000-0000-0000-0000-000000000000';

let server: Server;
let origin: string;
let asked: Asked[];
/** By call: `upload`, `publish`, `upload operation`, `publish operation`, `page`. */
let replies: Record<string, Reply[]>;
let store: EdgeStore;

const callOf = ({ method, url = '' }: IncomingMessage): string => {
  if (url.startsWith('/addons/')) return 'page';
  if (method === 'POST') return url.endsWith('/package') ? 'upload' : 'publish';
  return url.includes('/draft/') ? 'upload operation' : 'publish operation';
};

async function answerCall(req: IncomingMessage): Promise<Reply> {
  asked.push({ line: `${req.method} ${req.url}`, headers: req.headers, body: await text(req) });
  return replies[callOf(req)]?.shift() ?? [404, { message: 'Not found.' }];
}

beforeAll(async () => {
  server = createServer((req, res) => {
    void answerCall(req).then((reply) => {
      if (reply === 'drop') return void req.socket.destroy();
      const [status, body, headers] = reply;
      res.writeHead(status, { 'content-type': 'application/json', ...headers });
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
  [asked, replies] = [[], {}];
  const http = new HttpClient({ allowedHosts: [origin] });
  store = new EdgeStore(
    { apiUrl: `${origin}/`, publicUrl: origin, updateUrl: `${origin}/crx` },
    http,
    { now: () => NOW },
    [0, 0],
  );
});

const accepted = (location: string): Reply => [202, '', { location }];
const operation = (status: string, more: object = {}): Reply => [200, { id: 'op', status, errorCode: '', ...more }];
const failedBy = (errorCode: string | null, ...errors: string[]): Reply =>
  operation('Failed', { errorCode, errors: errors.map((message) => ({ message })) });
const lines = (): string[] => asked.map((one) => one.line);
const carry = (step: StoreStep, handles: Record<string, string> = {}): Promise<StepOutcome> =>
  store.carryOut(owner, { ...item, handles }, step);
const submit = (handles: Record<string, string> = {}, reviewerNotes: string | null = null): Promise<StepOutcome> =>
  carry({ step: 'submit', version: '1.1', ...DEFAULT_SUBMIT_OPTIONS, reviewerNotes }, handles);
const observe = (handles: Record<string, string> = {}, changes: Partial<StoreItem> = {}) =>
  store.observe(owner, { ...item, handles, ...changes });

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
  it('reads an operation that does not exist, and accepts a 404 as proof of the key', async () => {
    expect(await store.verify(owner)).toEqual({ identity: 'client' });
    expect(lines()).toEqual([`GET /v1/products/${NOBODY}/submissions/draft/package/operations/${NOBODY}`]);
    expect(asked[0]?.headers).toMatchObject({ authorization: `ApiKey ${KEY}`, 'x-clientid': 'client' });
  });

  it('reports an invalid key, and does not accept a web page as proof', async () => {
    replies['upload operation'] = [[401, {}], [403, {}], [200, '<html>'], operation('Succeeded'), 'drop', [503, {}]];
    for (const kind of ['credential', 'credential', 'retry', 'retry', 'retry', 'retry'] as const)
      await failure(store.verify(owner), kind);
  });
});

describe('observing', () => {
  it('reads the public page, and calls the API even without an operation', async () => {
    replies['page'] = [[200, { crxId: CRX, version: '1.0.2', name: 'Night Owl' }]];
    expect(await observe()).toMatchObject({ live: known('1.0.2'), submission: UNKNOWN, upload: known('none') });
    expect(lines().toSorted()).toEqual([
      `GET /addons/getproductdetailsbycrxid/${CRX}`,
      `GET ${SUBMISSIONS}/draft/package/operations/${NOBODY}`,
    ]);
    const page = asked.find(({ line }) => line.includes('/addons/'));
    expect([page?.headers.authorization, page?.headers['x-clientid']]).toEqual([undefined, undefined]);
  });

  it.each<[string, Reply]>([
    ['hides the listing', [404, {}]],
    ['is broken', [500, {}]],
    ['is gone', 'drop'],
    ['moved', [302, '', { location: 'https://elsewhere.example' }]],
    ['is a page for people', [200, '<html>']],
    ['names no version', [200, { crxId: CRX }]],
    ['names a version that is none', [200, { crxId: CRX, version: 7 }]],
    ['names one that no extension can have', [200, { crxId: CRX, version: 'soon' }]],
    ['speaks of something else', [200, { crxId: 'p'.repeat(32), version: '9.9' }]],
  ])('does not know the live version when the public page %s', async (_, reply) => {
    replies['page'] = [reply];
    expect((await observe()).live).toEqual(UNKNOWN);
  });

  it.each([null, '', 'x', '../..'])('reads no page for the public id %o', async (crxId) => {
    expect((await observe({}, { crxId })).live).toEqual(UNKNOWN);
    expect(lines()).toEqual([`GET ${SUBMISSIONS}/draft/package/operations/${NOBODY}`]);
  });

  it('reads the operation in the handles', async () => {
    replies['upload operation'] = [operation('InProgress')];
    expect((await observe({ uploadOperation: 'u/1' })).upload).toEqual(known('processing'));
    replies['publish operation'] = [failedBy('CreateNotAllowed')];
    const handles = { uploadOperation: 'u', publishOperation: 'p', version: '1.1' };
    expect((await observe(handles)).submission).toEqual(known({ version: '1.1', state: 'cancelled' }));
    expect(lines()).toContain(`GET ${SUBMISSIONS}/draft/package/operations/u%2F1`);
    expect(lines()).toContain(`GET ${SUBMISSIONS}/operations/p`);
  });

  it('fails when the API refuses, and does not accept an unexpected answer as an operation', async () => {
    replies['upload operation'] = [
      [401, {}],
      [200, {}],
      [200, { id: 'x', message: 'Unexpected.' }],
      [429, {}],
    ];
    for (const kind of ['credential', 'retry', 'retry', 'retry'] as const) await failure(observe(), kind);
  });

  it.each(['', 'abcdefghijklmnopabcdefghijklmnop', `${PRODUCT}/x`, '../products'])(
    'asks nothing about %o, which is no product id',
    async (storeItemId) => {
      const { message } = await failure(observe({}, { storeItemId, crxId: null }), 'config');
      expect(message).toContain('GUID');
      expect(asked).toEqual([]);
    },
  );
});

describe('uploading', () => {
  it('streams the zip, and returns the operation and its version as handles', async () => {
    replies['upload'] = [accepted('op-1')];
    const opened: Readable[] = [];
    expect(await carry(uploadOf('1.1', opened), { publishOperation: 'old' })).toMatchObject({
      outcome: 'pending',
      handles: { uploadOperation: 'op-1', publishOperation: '', version: '1.1' },
      note: expect.stringContaining('1.1'),
    });
    expect(asked[0]).toMatchObject({ line: `POST ${SUBMISSIONS}/draft/package`, body: 'zip bytes' });
    expect(asked[0]?.headers).toMatchObject({
      'content-type': 'application/zip',
      authorization: `ApiKey ${KEY}`,
      'x-clientid': 'client',
    });
    expect(opened.map((stream) => stream.destroyed)).toEqual([true]);
  });

  it.each([
    ['op-1', 'op-1'],
    ['https://api.example/v1/products/p/operations/op-2', 'op-2'],
    ['/operations/op-3/', 'op-3'],
    ['op-4?x=1', 'op-4'],
  ])('reads the operation from %s', async (location, id) => {
    replies['upload'] = [accepted(location)];
    expect((await carry(uploadOf('1.1'))).handles).toMatchObject({ uploadOperation: id });
  });

  it.each<[FailureKind, Reply]>([
    ['retry', [202, '']],
    ['retry', accepted('a b')],
    ['retry', [200, '<html>']],
    ['retry', 'drop'],
    ['artifact', [400, { message: 'No zip.' }]],
    ['config', [404, {}]],
    ['credential', [401, {}]],
  ])('is %s when the store answers %o', async (kind, reply) => {
    replies['upload'] = [reply];
    await failure(carry(uploadOf('1.1')), kind);
  });

  it('is retried when the package cannot be opened', async () => {
    const open = (): Promise<Readable> => Promise.reject(new Error('gone'));
    const step = { step: 'upload', version: '1', package: { version: '1', sha256: '0', size: 1, open } } as const;
    await failure(carry(step), 'retry');
    expect(asked).toEqual([]);
  });

  it.each<[FailureKind | StepOutcome['outcome'], Reply]>([
    ['pending', operation('InProgress')],
    ['pending', [202, { id: 'op', status: 'InProgress' }]],
    ['pending', [202, '']],
    ['done', [202, { id: 'op', status: 'Succeeded' }]],
    ['pending', operation('Pondering')],
    ['pending', [404, {}]],
    ['done', operation('Succeeded', { message: 'Successfully updated package to x.zip' })],
    ['artifact', failedBy('SubmissionValidationError', 'Bad manifest.')],
    ['wait', failedBy('InProgressSubmission')],
    ['retry', failedBy(null)],
    ['retry', [503, {}]],
  ])('polls: %s of %o', async (meaning, reply) => {
    replies['upload operation'] = [reply];
    const polled = carry({ step: 'poll', version: '1.1' }, { uploadOperation: 'op-1' });
    if (meaning === 'pending' || meaning === 'done') expect((await polled).outcome).toBe(meaning);
    else await failure(polled, meaning);
    expect(lines()).toEqual([`GET ${SUBMISSIONS}/draft/package/operations/op-1`]);
  });

  it('stays pending without an operation', async () => {
    expect((await carry({ step: 'poll', version: '1.1' })).outcome).toBe('pending');
    expect(asked).toEqual([]);
  });
});

describe('submitting', () => {
  it('polls the submission until it has ended', async () => {
    replies['publish'] = [accepted('sub-1')];
    replies['publish operation'] = [operation('InProgress'), operation('Succeeded')];
    const outcome = await submit({}, 'Fixes the moon.');
    expect(outcome).toMatchObject({ outcome: 'done', handles: { publishOperation: 'sub-1', version: '1.1' } });
    expect(outcome.note).toContain('Its state is visible in Partner Center only');
    expect(lines()).toEqual([
      `POST ${SUBMISSIONS}`,
      `GET ${SUBMISSIONS}/operations/sub-1`,
      `GET ${SUBMISSIONS}/operations/sub-1`,
    ]);
    expect(asked[0]).toMatchObject({
      body: JSON.stringify({ notes: 'Fixes the moon.' }),
      headers: { 'content-type': 'application/json' },
    });
  });

  it('sends no notes when there are none', async () => {
    replies['publish'] = [accepted('sub-1')];
    await submit();
    expect(asked[0]?.body).toBe('{}');
  });

  it('stops polling after a while, and keeps the operation when a read fails', async () => {
    replies['publish'] = [accepted('sub-1'), accepted('sub-2')];
    const still = operation('InProgress');
    replies['publish operation'] = [still, still, still, [500, {}], 'drop', [401, {}]];
    for (const publishOperation of ['sub-1', 'sub-2'])
      expect(await submit()).toMatchObject({ outcome: 'pending', handles: { publishOperation, version: '1.1' } });
    expect(asked).toHaveLength(8);
  });

  it('waits when the store answers with a conflict', async () => {
    replies['publish'] = [[409, { message: 'A submission is in progress.' }]];
    await failure(submit(), 'wait');
  });

  it.each<[FailureKind, Reply]>([
    ['wait', failedBy('InProgressSubmission')],
    ['wait', failedBy('UnpublishInProgress')],
    ['config', failedBy('ModuleStateUnPublishable', 'Listing (fr) lacks a description.')],
    ['config', failedBy('CreateNotAllowed')],
    ['artifact', failedBy('SubmissionValidationError', 'The version is too low.')],
    ['retry', failedBy(null)],
  ])('is %s when the operation is %o', async (kind, reply) => {
    replies['publish'] = [accepted('sub-1')];
    replies['publish operation'] = [reply];
    const { message } = await failure(submit(), kind);
    if (kind === 'config' && message.includes('UnPublishable')) expect(message).toContain('Listing (fr)');
  });

  it('treats NoModulesUpdated as success when the last submission is this version', async () => {
    replies['publish'] = [accepted('a'), accepted('b'), accepted('c'), accepted('d')];
    replies['publish operation'] = Array.from({ length: 4 }, () => failedBy('NoModulesUpdated'));
    replies['page'] = [
      [200, { crxId: CRX, version: '1.1.0' }],
      [200, { crxId: CRX, version: '1.0' }],
    ];
    expect(await submit({ version: '1.1.0' })).toMatchObject({ outcome: 'done', handles: { publishOperation: 'a' } });
    expect(lines().some((line) => line.includes('/addons/'))).toBe(false);
    expect((await submit()).outcome).toBe('done');
    expect((await failure(submit(), 'config')).message).toContain('not the version 1.1 that Pierhead uploaded');
    await failure(submit({ version: '1.0' }), 'config');
  });

  it.each<StoreStep>([
    { step: 'release', version: '1' },
    { step: 'cancel', version: '1' },
    { step: 'rollout', version: '1', percent: 50 },
    { step: 'rollback', version: '1', to: '0', reason: 'x' },
  ])('does not support $step', async (step) => {
    await failure(carry(step), 'config');
    expect(asked).toEqual([]);
  });
});

it('never repeats the key, even when the store sends it back in any form', async () => {
  const escaped = `{"message":"Key ${KEY.replaceAll('/', '\\/')} is bad","errors":[{"message":"${KEY}"}]}`;
  replies['upload operation'] = [[401, escaped], [400, `<p>${KEY}</p>`], operation('Failed', { message: KEY })];
  const failures = [await failure(observe(), 'credential'), await failure(observe(), 'retry')];
  const reported = JSON.stringify([
    ...failures.map(({ message, details }) => [message, details]),
    await observe({ uploadOperation: 'u' }),
  ]);
  expect(reported).not.toContain('MARKED');
  expect(reported).toContain('[redacted]');
});
