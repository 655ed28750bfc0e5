import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/app.js';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly req?: { readonly path: string };
  readonly res?: { readonly status: number | null };
}

describe('a caller who', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const lines = (): readonly Line[] => world.log.map((line) => JSON.parse(line) as Line);
  const linesOf = (path: string): readonly Line[] => lines().filter(({ req }) => req?.path === path);
  const dial = async (): Promise<Socket> => {
    const { hostname, port } = new URL(world.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const head = (path: string, rest: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n${rest}\r\n\r\n`;
  /** The next request that the service gets to see. */
  const nextRequest = (): Promise<[IncomingMessage, ServerResponse]> =>
    once(world.app.getHttpServer(), 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const errors = (): readonly Line[] => lines().filter(({ level }) => level === 'error');

  it.each(['licensing/check', 'licensing/activate', 'auth/login', 'analytics/ping'])(
    'breaks off in the middle of what he tells %s is no fault of ours, and was not answered',
    async (route) => {
      const path = `/api/v1/${route}`;
      const socket = await dial();
      const seen = nextRequest();
      socket.write(`${head(path, 'content-length: 100')}{"code"`);
      const [, response] = await seen;
      const gone = once(response, 'close');
      socket.resetAndDestroy();
      await gone;
      expect(linesOf(path)).toMatchObject([{ level: 'info', res: { status: null } }]);
      expect(errors()).toEqual([]);
    },
  );

  it.each(['licensing/check', 'licensing/release', 'auth/signup'])(
    'has gone by the time that %s has read him is no fault of ours',
    async (route) => {
      const path = `/api/v1/${route}`;
      const before = linesOf(path).length;
      const socket = await dial();
      const seen = nextRequest();
      socket.write(head(path, 'content-length: 2'));
      const [request, response] = await seen;
      // The last moment at which a connection can go unseen: the body has come, and nobody has looked at it yet.
      request.once('end', () => request.socket.destroy());
      const gone = once(response, 'close');
      socket.write('{}');
      await gone;
      expect(linesOf(path)).toHaveLength(before + 1);
      expect(errors()).toEqual([]);
    },
  );

  it('sends his body byte by byte is understood', async () => {
    const body = JSON.stringify({ code: ' '.repeat(5000), extensionId: 'x' });
    const socket = await dial();
    const pieces = Array.from(body, (byte) => `1\r\n${byte}\r\n`).join('');
    socket.write(`${head('/api/v1/licensing/check', 'transfer-encoding: chunked')}${pieces}0\r\n\r\n`);
    const answer = (await socket.setEncoding('utf8').toArray()).join('');
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('"field":"fingerprint"');
    expect(answer).not.toContain('well-formed');
  });

  it('asks as a proxy is asked, with a secret in it, leaves no secret in the log', async () => {
    const socket = await dial();
    socket.write(
      'GET http://MARKED:MARKED@x/api/v1/nothing?MARKED HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n' +
        'GET /api/v1/nothing#MARKED HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    );
    expect((await socket.setEncoding('utf8').toArray()).join('')).toMatch(/^HTTP\/1.1 404 /);
    expect(linesOf('/api/v1/nothing').length).toBeGreaterThan(0);
    expect(world.log.join('\n')).not.toContain('MARKED');
  });
});
