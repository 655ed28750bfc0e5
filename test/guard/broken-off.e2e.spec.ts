import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    'breaks off in the middle of a request to %s gets no answer and causes no error',
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
    'disconnects when %s has read the body causes no error',
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

  it('sends a body byte by byte gets the answer to the whole body', async () => {
    const body = JSON.stringify({ code: ' '.repeat(5000), extensionId: 'x' });
    const socket = await dial();
    const pieces = Array.from(body, (byte) => `1\r\n${byte}\r\n`).join('');
    socket.write(`${head('/api/v1/licensing/check', 'transfer-encoding: chunked')}${pieces}0\r\n\r\n`);
    const answer = (await socket.setEncoding('utf8').toArray()).join('');
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('"field":"fingerprint"');
    expect(answer).not.toContain('well-formed');
  });

  it.each(['http://MARKED:MARKED@x/api/v1/stores?MARKED', '/api/v1/stores#MARKED'])(
    'asks for %s leaves no secret in the log',
    async (target) => {
      const before = linesOf('/api/v1/stores').length;
      const socket = await dial();
      socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      expect((await socket.setEncoding('utf8').toArray()).join('')).toMatch(/^HTTP\/1.1 200 /);
      expect(linesOf('/api/v1/stores').length).toBe(before + 1);
      expect(world.log.join('\n')).not.toContain('MARKED');
    },
  );

  it.each([
    ['before it has sent its body', 'text/html'],
    ['for what its body says', 'application/json'],
  ])('is refused again and again %s adds nothing to the connection', async (_, type) => {
    const accepted = once(world.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const socket = await dial();
    const [connection] = await accepted;
    const refuse = async (): Promise<void> => {
      const answered = once(socket, 'data');
      socket.write(
        `POST /api/v1/licensing/check HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 2\r\n\r\n`,
      );
      if (type === 'text/html') await answered;
      socket.write('{}');
      await answered;
    };
    await refuse();
    await refuse();
    const before = connection.listenerCount('close');
    for (let time = 0; time < 20; time += 1) await refuse();
    expect(connection.listenerCount('close')).toBeLessThanOrEqual(before + 1);
    socket.destroy();
  });

  it('asks for an unknown route leaves no path in the log', async () => {
    const before = linesOf('none').length;
    expect((await fetch(`${world.url}/api/v1/licensing/activate/A-CODE`, { method: 'POST' })).status).toBe(404);
    expect(linesOf('none').length).toBe(before + 1);
    expect(world.log.join('')).not.toContain('A-CODE');
  });
});
