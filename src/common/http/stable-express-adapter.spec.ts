import 'reflect-metadata';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Controller, Get, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { StableExpressAdapter, type PrototypedApplication } from './stable-express-adapter.js';

@Controller('nest')
class NestController {
  @Get()
  read(): object {
    return { read: true };
  }

  @Post('broken')
  breaks(): never {
    throw new Error('broken');
  }
}

@Module({ controllers: [NestController] })
class TestModule {}

const prototypeOf = (one: object): unknown => Object.getPrototypeOf(one);

/** What a route can learn of a request, and do to a response. */
function addRoutes(app: NestExpressApplication): void {
  app.set('trust proxy', 1);
  const instance: PrototypedApplication = app.getHttpAdapter().getInstance();
  instance.get('/seen/:one/*rest', (request: Request, response: Response) => {
    response.cookie('kind', 'a b', { httpOnly: true, path: '/' }).append('Vary', 'Accept');
    response.json({
      params: request.params,
      query: request.query,
      cookie: request.get('cookie'),
      ip: request.ip,
      ips: request.ips,
      protocol: request.protocol,
      host: request.hostname,
      path: request.path,
      base: request.baseUrl,
      original: request.originalUrl,
      accepts: request.accepts('json', 'html'),
      is: request.is('json'),
      fresh: request.fresh,
      app: request.app === instance && response.app === instance,
      pair: request.res === response && response.req === request,
      locals: { ...response.locals },
    });
  });
  instance.post('/echo', express.json(), (request: Request, response: Response) => void response.send(request.body));
  instance.post('/piped', (request: Request, response: Response) => {
    response.type('application/octet-stream');
    void pipeline(request, response);
  });
  instance.get('/streamed', (_request: Request, response: Response) => {
    void pipeline(Readable.from(['one ', 'two ', 'three']), response);
  });
  instance.get('/moved', (_request: Request, response: Response) => response.redirect('/nest?a=1'));
  instance.get('/missing-file', (_request: Request, response: Response, next) =>
    response.sendFile('/nowhere/at/all', (error) => next(error)),
  );
  instance.get('/fails', () => {
    throw new Error('fails');
  });
  instance.use('/mounted', (request: Request, response: Response) => {
    response.status(418).links({ next: '/x' }).json({ base: request.baseUrl, path: request.path });
  });
  const refuse: ErrorRequestHandler = (error: Error, _request, response, _next) => {
    response.status(500).json({ failed: error.message, kind: error.constructor.name });
  };
  instance.use(['/fails', '/missing-file', '/echo'], refuse);
}

async function serve(adapter: ExpressAdapter): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(TestModule, adapter, {
    logger: false,
    bodyParser: false,
  });
  addRoutes(app);
  await app.listen(0, '127.0.0.1');
  return app;
}

interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const portOf = (app: NestExpressApplication): number => (app.getHttpServer().address() as AddressInfo).port;

/** All of an answer but the time of day. */
async function answerOf(
  app: NestExpressApplication,
  { method = 'GET', path, headers = {}, body }: Ask,
): Promise<object> {
  const asked = http.request({
    host: '127.0.0.1',
    port: portOf(app),
    method,
    path,
    headers: { host: 'x.example', ...headers },
  });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const text = (await answer.setEncoding('utf8').toArray()).join('');
  const { date: _, ...rest } = answer.headers;
  return { status: answer.statusCode, headers: rest, text };
}

describe('the stable adapter', () => {
  let stock: NestExpressApplication;
  let stable: NestExpressApplication;
  beforeAll(async () => {
    stock = await serve(new ExpressAdapter());
    stable = await serve(new StableExpressAdapter());
  });
  afterAll(async () => {
    await stock.close();
    await stable.close();
  });

  const json = { 'content-type': 'application/json' };
  it.each<[string, Ask, object]>([
    ['parameters and queries', { path: '/seen/a%20b/c/d?x=1&y[]=2&y[]=3' }, { status: 200 }],
    ['a cookie', { path: '/seen/a/b', headers: { cookie: 'one=1; two=2' } }, { status: 200 }],
    [
      'an address behind a proxy',
      { path: '/seen/a/b', headers: { 'x-forwarded-for': '1.1.1.1, 2.2.2.2', 'x-forwarded-proto': 'https' } },
      { text: expect.stringContaining('"ip":"2.2.2.2"') },
    ],
    ['what is accepted', { path: '/seen/a/b', headers: { accept: 'text/html;q=0.9' } }, { status: 200 }],
    ['a JSON body', { method: 'POST', path: '/echo', headers: json, body: '{"a":["ß"]}' }, { text: '{"a":["ß"]}' }],
    ['a broken JSON body', { method: 'POST', path: '/echo', headers: json, body: '{"a"' }, { status: 500 }],
    [
      'a body that is piped',
      { method: 'POST', path: '/piped', body: 'x'.repeat(300_000) },
      { text: 'x'.repeat(300_000) },
    ],
    ['a stream', { path: '/streamed' }, { text: 'one two three' }],
    ['a redirect', { path: '/moved' }, { status: 302 }],
    ['a file that is not there', { path: '/missing-file' }, { status: 500 }],
    ['a failure', { path: '/fails' }, { text: '{"failed":"fails","kind":"Error"}' }],
    ['a mounted path', { path: '/mounted/here' }, { status: 418 }],
    ['HEAD', { method: 'HEAD', path: '/seen/a/b' }, { status: 200, text: '' }],
    ['OPTIONS', { method: 'OPTIONS', path: '/nest' }, { status: 404 }],
    ['a route of Nest', { path: '/nest' }, { text: '{"read":true}' }],
    ['a failing route of Nest', { method: 'POST', path: '/nest/broken' }, { status: 500 }],
    ['a path that cannot be read', { path: '/seen/%ff/b' }, { status: 400 }],
    ['nothing', { path: '/nothing' }, { status: 404 }],
  ])('answers as the stock one does: %s', async (_, ask, expected) => {
    const answer = await answerOf(stable, ask);
    expect(answer).toMatchObject(expected);
    expect(answer).toEqual(await answerOf(stock, ask));
  });

  it('keeps a conditional request and a connection that serves many', async () => {
    const etags = await Promise.all([stock, stable].map((app) => answerOf(app, { path: '/nest' })));
    expect(etags[0]).toEqual(etags[1]);
    const etag = (etags[0] as { headers: Record<string, string> }).headers['etag'] ?? '';
    for (const app of [stock, stable])
      expect(await answerOf(app, { path: '/nest', headers: { 'if-none-match': etag } })).toMatchObject({
        status: 304,
        text: '',
      });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let time = 0; time < 3; time += 1) {
      const asked = http.get({ host: '127.0.0.1', port: portOf(stable), path: '/nest', agent });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      expect((await answer.setEncoding('utf8').toArray()).join('')).toBe('{"read":true}');
      expect(asked.reusedSocket).toBe(time > 0);
    }
    agent.destroy();
  });

  describe('gives requests and responses the prototypes of the application', () => {
    const isGiven = async (adapter: ExpressAdapter): Promise<boolean> => {
      const app = await serve(adapter);
      const { request, response }: PrototypedApplication = adapter.getInstance();
      const seen: boolean[] = [];
      // Before Express gets to see them.
      app.getHttpServer().prependListener('request', (...pair: readonly object[]) => {
        seen.push(...pair.map((one, at) => prototypeOf(one) === [request, response][at]));
      });
      expect(await answerOf(app, { path: '/nest' })).toMatchObject({ text: '{"read":true}' });
      await app.close();
      return seen.length === 2 && seen.every(Boolean);
    };

    it('with the Express that is installed', async () => {
      expect(await isGiven(new StableExpressAdapter())).toBe(true);
      expect(await isGiven(new ExpressAdapter())).toBe(false);
    });

    it.each(['4.21.2', '6.0.0', '5.9.0-beta.1', ''])(
      'not with Express %j, which it does not know: all as usual',
      async (version) => {
        expect(await isGiven(new StableExpressAdapter(version))).toBe(false);
      },
    );
  });
});
