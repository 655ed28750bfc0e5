import { EventEmitter, once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/app.js';
import { authorAt } from './author.js';

describe('a push that is interrupted while it sends the sources', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it.each(['SIGINT', 'SIGTERM'] as const)('by %s leaves no store paused', async (signal) => {
    const author = await authorAt(world, ['firefox']);
    const begun = new EventEmitter();
    const sources = once(begun, 'sources');
    const server = createServer((request, response) => {
      // The sources never arrive.
      if (request.url?.endsWith('/source') === true) return void begun.emit('sources');
      const { method, headers } = request;
      request.pipe(
        ask(`${world.url}${request.url}`, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.pipe(response);
        }),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const file = await author.pack('1.0.0');
    await author.shell.write('sources/index.ts', 'export {};');
    const running = author.shell.start(['push', file, '--sources', 'sources', '--no-lint'], {
      env: { PIERHEAD_URL: `http://127.0.0.1:${port}` },
    });
    const targets = async () =>
      (await world.api.as(author).get(`/extensions/${author.extensionId}/targets`)).body.targets as readonly {
        readonly store: string;
        readonly paused: boolean;
      }[];
    await sources;
    expect(await targets()).toContainEqual(expect.objectContaining({ store: 'firefox', paused: true }));
    running.child.kill(signal);
    expect(await running.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining(
        'Interrupted while sending the sources. What was sent before goes to the stores.',
      ),
    });
    expect(await targets()).toContainEqual(expect.objectContaining({ store: 'firefox', paused: false }));
    server.close();
    server.closeAllConnections();
    await author.shell.close();
  });
});
