import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { asFailure, type Failure } from '../failure.js';
import { answer, Service } from './service.js';
import { upload } from './upload.js';

const RETRY_FOR_MS = 20_000;
const IDLE_MS = 300;
const FIRST_DELAY_MS = 10;

/** What the service does with one request: an answer, a connection that breaks off before or in the middle of one, or nothing. */
type Turn =
  'drop' | 'break' | 'hang' | { readonly status: number; readonly retryAfter?: string; readonly body?: object };

const OK: Turn = { status: 200, body: { items: [], nextCursor: null } };
const PROBLEM = {
  code: 'overloaded',
  detail: 'The service has too much to do.',
  requestId: '01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d4',
  errors: [{ field: 'name', message: 'must not be empty.' }],
};

describe('a request', () => {
  let server: Server;
  afterEach(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );

  /** A service that does one thing after the other, then what it did last. */
  async function serviceThat(
    ...turns: readonly Turn[]
  ): Promise<{ service: Service; asked: () => number; troubles: string[] }> {
    let asked = 0;
    server = createServer((request, response) => {
      const turn = turns[Math.min(asked, turns.length - 1)] ?? OK;
      asked += 1;
      if (turn === 'drop') return void request.socket.destroy();
      if (turn === 'hang') return;
      if (turn === 'break') {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"items":[');
        return void setTimeout(() => request.socket.destroy(), 20);
      }
      const headers = {
        'content-type': 'application/json',
        ...(turn.retryAfter === undefined ? {} : { 'retry-after': turn.retryAfter }),
      };
      response.writeHead(turn.status, headers).end(JSON.stringify(turn.body ?? PROBLEM));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const troubles: string[] = [];
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = {
      userAgent: 'test',
      retryForMs: RETRY_FOR_MS,
      idleMs: IDLE_MS,
      firstDelayMs: FIRST_DELAY_MS,
      onTrouble: (why: string) => void troubles.push(why),
    };
    return { service: new Service({ url, token: 't' }, options), asked: () => asked, troubles };
  }

  const list = (service: Service) => answer(service.client.GET('/api/v1/extensions'));
  const create = (service: Service) => answer(service.client.POST('/api/v1/extensions', { body: { name: 'Owl' } }));
  const failureOf = (work: Promise<unknown>): Promise<Failure> =>
    work.then(
      () => Promise.reject(new Error('It did not fail')),
      (error: unknown) => asFailure(error),
    );

  it.each<[string, Turn]>([
    ['a broken connection', 'drop'],
    ['an answer that breaks off', 'break'],
    ['no answer for too long', 'hang'],
    ['502', { status: 502 }],
    ['503', { status: 503 }],
    ['500', { status: 500 }],
    ['429 with a time', { status: 429, retryAfter: '0.05' }],
  ])('that may be repeated is repeated after %s, and the user is told once', async (_what, turn) => {
    const { service, asked, troubles } = await serviceThat(turn, turn, OK);
    await expect(list(service)).resolves.toEqual(OK.body);
    expect([asked(), troubles.length]).toEqual([3, 1]);
  });

  it('that adds something is repeated only where the service says that it did nothing', async () => {
    const busy = await serviceThat({ status: 503 }, { status: 200, body: { id: 'x' } });
    await expect(create(busy.service)).resolves.toEqual({ id: 'x' });
    expect(busy.asked()).toBe(2);
    await new Promise((resolve) => server.close(resolve));
    const lost = await serviceThat('drop', OK);
    expect(await failureOf(create(lost.service))).toMatchObject({ code: 'unreachable', exitCode: 1 });
    expect(lost.asked()).toBe(1);
  });

  it.each([400, 401, 403, 404, 409, 422])('that is refused with %d is not repeated', async (status) => {
    const { service, asked } = await serviceThat({ status }, OK);
    expect(await failureOf(list(service))).toMatchObject({
      message: PROBLEM.detail,
      requestId: PROBLEM.requestId,
      errors: PROBLEM.errors,
      exitCode: status === 401 || status === 403 ? 4 : 1,
    });
    expect(asked()).toBe(1);
  });

  it('is given up when the service asks for more time than there is', async () => {
    const { service, asked } = await serviceThat({ status: 503, retryAfter: '3600' }, OK);
    expect(await failureOf(list(service))).toMatchObject({ message: PROBLEM.detail });
    expect(asked()).toBe(1);
  });

  it('that nobody answers ends in time, also when it must not be repeated', async () => {
    const { service, asked } = await serviceThat('hang');
    expect(await failureOf(create(service))).toMatchObject({
      message: `${service.url} cannot be reached: it does not answer.`,
      code: 'unreachable',
    });
    expect(asked()).toBe(1);
  });

  it('that something else answers says so', async () => {
    const { service } = await serviceThat({ status: 404, body: ['not', 'a', 'problem'] });
    expect(await failureOf(list(service))).toMatchObject({
      message: 'The service answered 404, but not with a response from Pierhead.',
    });
  });

  it.each([
    [200, 'Check the address, and any proxy in front of it.'],
    [404, 'Check the address, and any proxy in front of it.'],
    [413, expect.stringContaining('client_max_body_size (nginx)')],
  ])('that a web page answers with %d says so', async (status, hint) => {
    server = createServer((_request, response) =>
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Hello</h1>'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const service = new Service({ url, token: 't' }, { userAgent: 'test', retryForMs: 0 });
    expect(await failureOf(list(service))).toMatchObject({
      message: `${url} answered ${status}, but not with a response from Pierhead.`,
      hint,
    });
  });

  it('with a file may take longer than one that stands still', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pierhead-upload-'));
    const path = join(folder, 'package.zip');
    const size = 32_000_000;
    await writeFile(path, Buffer.alloc(size));
    let isReading = true;
    server = createServer((request, response) => {
      let received = 0;
      // Takes a little at a time, for longer than anything may stand still, or nothing at all.
      const drip = setInterval(() => {
        if (isReading) received += (request.read() as Buffer | null)?.length ?? 0;
        if (received < size) return;
        clearInterval(drip);
        response.writeHead(201, { 'content-type': 'application/json' }).end('{"taken":true}');
      }, 3);
      request.socket.once('close', () => clearInterval(drip));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const service = new Service({ url, token: 't' }, { userAgent: 'test', retryForMs: 0, idleMs: 200 });
    const file = { path, size, contentType: 'application/zip' };
    const send = () => upload(service, '/', { file }, () => undefined);
    const startedAt = Date.now();
    await expect(send()).resolves.toEqual({ taken: true });
    expect(Date.now() - startedAt).toBeGreaterThan(600);
    isReading = false;
    expect(await failureOf(send())).toMatchObject({ message: `${url} cannot be reached: it does not answer.` });
    await rm(folder, { recursive: true });
  });
});
