import { afterEach, describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { FULL_VERSION } from '../system/index.js';
import { HttpClient, type HttpClientOptions } from './http-client.js';
import { HttpFailure } from './http-failure.js';
import { withLockCheck } from './lock-check.js';

const servers: Server[] = [];
const rejections: unknown[] = [];
process.on('unhandledRejection', (reason) => rejections.push(reason));

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
  expect(rejections).toEqual([]);
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('says which version of Pierhead asks, unless the caller says who does', async () => {
  const userAgents: (string | undefined)[] = [];
  const origin = await serve(({ headers }, response) => {
    userAgents.push(headers['user-agent']);
    response.end();
  });
  await clientFor(origin).request({ method: 'GET', url: origin });
  await clientFor(origin).request({ method: 'GET', url: origin, headers: { 'user-agent': 'Chrome' } });
  expect(userAgents).toEqual([`Pierhead/${FULL_VERSION}`, 'Chrome']);
});

const clientFor = (origin: string, options: Partial<HttpClientOptions> = {}): HttpClient =>
  new HttpClient({ allowedHosts: [origin], ...options });

async function failureOf(asked: Promise<unknown>): Promise<HttpFailure> {
  const failure = await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(HttpFailure);
  return failure as HttpFailure;
}

/** A stream that gives one piece and then nothing, until it is destroyed. */
const stalled = (): Readable => {
  let given = false;
  return new Readable({
    read() {
      if (!given) this.push('first');
      given = true;
    },
  });
};

/** A piece every few milliseconds, for so long. */
async function* flowing(ms: number): AsyncGenerator<Buffer> {
  const started = performance.now();
  while (performance.now() - started < ms) {
    await pause(5);
    yield Buffer.alloc(64 * 1024);
  }
}

describe('an answer', () => {
  it('has a status, headers, text and JSON', async () => {
    const origin = await serve((req, res) => {
      res.writeHead(418, { 'content-type': 'application/json', 'retry-after': '7' });
      req.pipe(res);
    });
    const answer = await clientFor(origin).request({ method: 'POST', url: `${origin}/echo`, body: '{"a":"ü"}' });
    expect(answer).toMatchObject({ status: 418, text: '{"a":"ü"}', json: { a: 'ü' } });
    expect(answer.headers.get('Retry-After')).toBe('7');
    expect(answer.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('has neither control characters nor lone surrogates in its texts, however they are written', async () => {
    const body = String.raw`{"version":"99.0\u0000","of":["\u0001\ud800\u009f\b","two\nlines\tand ü"]}`;
    const origin = await serve((_, res) => res.end(body));
    const { json } = await clientFor(origin).request({ method: 'GET', url: origin });
    expect(json).toEqual({ version: '99.0', of: ['\uFFFD', 'two\nlines\tand ü'] });
    const plain = await serve((_, res) => res.end(`<app version="1.0\u0000\u0007">\r\n`));
    expect(await clientFor(plain).request({ method: 'GET', url: plain })).toMatchObject({
      text: '<app version="1.0">\r\n',
    });
  });

  it('has no JSON when its body is not JSON', async () => {
    const origin = await serve((_, res) => res.end('<html>'));
    expect((await clientFor(origin).request({ method: 'GET', url: origin })).json).toBeUndefined();
  });

  it('may be a redirect, which is not followed', async () => {
    const asked: string[] = [];
    const origin = await serve((req, res) => {
      asked.push(req.url ?? '');
      res.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect((await clientFor(origin).request({ method: 'GET', url: `${origin}/here` })).status).toBe(302);
    expect(asked).toEqual(['/here']);
  });

  it('that comes before the body is sent destroys the stream of the body', async () => {
    const origin = await serve((_, res) => res.writeHead(401).end('{}'));
    const body = stalled();
    expect((await clientFor(origin).request({ method: 'POST', url: origin, body })).status).toBe(401);
    expect(body.destroyed).toBe(true);
  });
});

describe('a stream', () => {
  it('is sent whole and chunked, however large its pieces are', async () => {
    let size = 0;
    let encoding: string | undefined;
    const origin = await serve((req, res) => {
      encoding = req.headers['transfer-encoding'];
      req.on('data', (piece: Buffer) => (size += piece.length));
      req.on('end', () => res.end('{}'));
    });
    const body = Readable.from([Buffer.alloc(3_000_000, 1), 'text', Buffer.alloc(0), Buffer.alloc(70_000, 2)]);
    await clientFor(origin).request({ method: 'POST', url: origin, body });
    expect({ size, encoding }).toEqual({ size: 3_070_004, encoding: 'chunked' });
    expect(body.destroyed).toBe(true);
  });

  it('that keeps moving may take longer than the timeout', async () => {
    const origin = await serve((req, res) => {
      req.resume().on('end', () => res.end('{}'));
    });
    const asked = { method: 'POST', url: origin, body: Readable.from(flowing(1200)) };
    expect((await clientFor(origin, { timeoutMs: 1000 }).request(asked)).durationMs).toBeGreaterThan(1100);
  });

  it('that stands still fails as a timeout, and is destroyed', async () => {
    const origin = await serve((req) => void req.resume());
    const body = stalled();
    const failure = await failureOf(
      clientFor(origin, { timeoutMs: 50 }).request({ method: 'POST', url: origin, body }),
    );
    expect(failure.kind).toBe('timeout');
    expect(body.destroyed).toBe(true);
  });

  it('that never ends is cut at the time limit of uploads', async () => {
    const origin = await serve((req) => void req.resume());
    const client = clientFor(origin, { uploadCapMs: 100 });
    const body = Readable.from(flowing(Infinity));
    expect((await failureOf(client.request({ method: 'POST', url: origin, body }))).kind).toBe('timeout');
    expect(body.destroyed).toBe(true);
  });

  it('that breaks in the middle fails the request', async () => {
    const origin = await serve((req) => void req.resume().on('error', () => undefined));
    const breaking = async function* (): AsyncGenerator<string> {
      yield 'first';
      throw Object.assign(new Error('the disk is gone'), { code: 'EIO' });
    };
    const failure = await failureOf(
      clientFor(origin).request({ method: 'POST', url: origin, body: Readable.from(breaking()) }),
    );
    expect(failure).toMatchObject({
      kind: 'network',
      message: expect.stringContaining('could not be read to the end'),
    });
    expect(failure.cause).toMatchObject({ code: 'EIO' });
  });

  it('that broke before the request fails it too', async () => {
    const body = new Readable({ read: () => undefined });
    body.on('error', () => undefined).destroy(new Error('gone'));
    const origin = await serve((_, res) => res.end());
    expect((await failureOf(clientFor(origin).request({ method: 'POST', url: origin, body }))).kind).toBe('network');
  });

  it('is destroyed when its host is refused or cannot be reached', async () => {
    for (const allowedHosts of [[], ['http://127.0.0.1:1']]) {
      const body = stalled();
      await failureOf(new HttpClient({ allowedHosts }).request({ method: 'POST', url: 'http://127.0.0.1:1/', body }));
      expect(body.destroyed).toBe(true);
    }
  });
});

describe('a download', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });
  const newPath = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'download-'));
    folders.push(folder);
    return join(folder, 'file');
  };

  it('writes a body of any size into a file, and digests it', async () => {
    const origin = await serve((_, res) => void Readable.from(flowing(50)).pipe(res));
    const path = await newPath();
    const request = { method: 'GET', url: origin, maxBodyBytes: 1e9 };
    const { status, sha256 } = await clientFor(origin).download(request, path);
    const written = await readFile(path);
    expect([status, written.length > 0]).toEqual([200, true]);
    expect(sha256).toBe(createHash('sha256').update(written).digest('hex'));
  });

  it('that keeps moving may take longer than the timeout', async () => {
    const origin = await serve((_, res) => void Readable.from(flowing(1200)).pipe(res));
    const client = clientFor(origin, { timeoutMs: 1000 });
    const endless = { method: 'GET', url: origin, maxBodyBytes: 1e9 };
    expect(await client.download(endless, await newPath())).toMatchObject({ status: 200 });
  });

  it.each([404, 302, 206])('of a %i writes nothing', async (status) => {
    const origin = await serve((_, res) => res.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('body'));
    const path = await newPath();
    const answer = await clientFor(origin).download({ method: 'GET', url: origin }, path);
    expect(answer).toEqual({ status, sha256: null });
    expect(existsSync(path)).toBe(false);
  });

  it.each<[string, Partial<HttpClientOptions>, (res: ServerResponse) => unknown]>([
    ['timeout', { timeoutMs: 50 }, (res) => res.write('first')],
    ['timeout', { uploadCapMs: 100 }, (res) => Readable.from(flowing(Infinity)).pipe(res)],
    ['too_large', {}, (res) => res.end('x'.repeat(101))],
    ['too_large', {}, (res) => res.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(10_000)))],
    ['network', {}, (res) => res.writeHead(200, { 'content-length': 9 }).write('half', () => res.destroy())],
  ])('fails as %s (%j)', async (kind, options, answer) => {
    const origin = await serve((_, res) => void answer(res));
    const maxBodyBytes = kind === 'timeout' ? 1e9 : 100;
    const failure = await failureOf(
      clientFor(origin, options).download({ method: 'GET', url: origin, maxBodyBytes }, await newPath()),
    );
    expect(failure.kind).toBe(kind);
  });

  it.each([
    'http://127.0.0.2/',
    'ftp://a.example/',
    'https://evila.example/',
    'https://a.example:8443/',
    'http://a.example/',
  ])('from %s is refused', async (url) => {
    const client = new HttpClient({ allowedHosts: [], allowedDomains: ['a.example'] });
    const path = await newPath();
    expect((await failureOf(client.download({ method: 'GET', url }, path))).kind).toBe('refused_host');
    expect(existsSync(path)).toBe(false);
  });
});

describe('a failure', () => {
  it.each([
    ['before the headers', (): RequestListener => () => undefined],
    ['within the body', (): RequestListener => (_, res) => void res.write('{"a":')],
  ])('is a timeout when the server falls silent %s', async (_, listener) => {
    const origin = await serve(listener());
    const failure = await failureOf(
      clientFor(origin).request({ method: 'GET', url: `${origin}/a?b=c`, timeoutMs: 60 }),
    );
    expect(failure.kind).toBe('timeout');
    expect(failure.message).toBe(`GET ${origin.slice(7)}/a did not answer in time`);
  });

  it.each([
    ['plain', {}, Buffer.alloc(2000, 120)],
    ['compressed', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(50_000_000, 120))],
  ])('is too_large when a %s answer exceeds the cap', async (_, headers, body) => {
    const origin = await serve((_req, res) => res.writeHead(200, headers).end(body));
    const client = clientFor(origin, { maxBodyBytes: 1000 });
    expect((await failureOf(client.request({ method: 'GET', url: origin }))).kind).toBe('too_large');
  });

  it('is a timeout when work before the call never ends', async () => {
    const origin = await serve((_, res) => res.end());
    const never = (): Promise<boolean> => new Promise(() => undefined);
    const asked = withLockCheck(never, () => clientFor(origin).request({ method: 'GET', url: origin, timeoutMs: 60 }));
    expect((await failureOf(asked)).kind).toBe('timeout');
  });

  it('is network when the server switches protocols', async () => {
    const origin = await serve((req) =>
      req.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );
    expect((await failureOf(clientFor(origin).request({ method: 'GET', url: origin }))).kind).toBe('network');
  });

  it('is network when the connection drops or nobody listens', async () => {
    const origin = await serve((req) => req.socket.destroy());
    expect((await failureOf(clientFor(origin).request({ method: 'GET', url: origin }))).kind).toBe('network');
    const away = 'http://127.0.0.1:1';
    const failure = await failureOf(clientFor(away).request({ method: 'GET', url: `${away}/x` }));
    expect(failure.message).toMatch(/^GET 127\.0\.0\.1:1\/x failed/);
  });

  it.each([
    'https://elsewhere.example/',
    'http://127.0.0.1:2/',
    'https://127.0.0.1:1/',
    'http://user:marked@127.0.0.1:1/',
    'http://127.0.0.1:1@elsewhere.example/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'not a url?marked',
  ])('is refused_host for %s', async (url) => {
    const client = new HttpClient({ allowedHosts: ['http://127.0.0.1:1/path', 'data:,'] });
    const failure = await failureOf(client.request({ method: 'GET', url }));
    expect(failure.kind).toBe('refused_host');
    expect(failure.message).not.toContain('marked');
  });

  it('contains neither query, header nor body, not even in its cause', async () => {
    const origin = await serve((req) => req.socket.end('HTTP/1.1 200 OK\r\nmarked marked\r\n\r\n'));
    const asks = [
      { method: 'POST', url: `${origin}/a?marked=1#marked`, headers: { authorization: 'marked' }, body: 'marked' },
      { method: 'GET', url: `${origin}/a`, headers: { authorization: 'Bearer a\nmarked' } },
    ];
    for (const ask of asks) {
      const failure = await failureOf(clientFor(origin).request(ask));
      const { message, stack, cause } = failure;
      expect(JSON.stringify([message, stack, cause, String((cause as Error | undefined)?.stack)])).not.toContain(
        'marked',
      );
    }
  });
});
