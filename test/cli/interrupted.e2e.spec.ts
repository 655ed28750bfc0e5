import { EventEmitter, once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { authorAt } from './author.js';

describe('a push that is interrupted while it sends the sources', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'by %s lets Firefox wait for them, and is completed by the next push',
    async (signal) => {
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
      // A token that may push, and nothing else.
      const PIERHEAD_TOKEN = await world.given.token(author, ['artifacts:write']);
      const push = (url: string) =>
        author.shell.start(['push', file, '--extension', author.extensionId, '--sources', 'sources', '--no-lint'], {
          env: { PIERHEAD_URL: url, PIERHEAD_TOKEN },
        });
      const running = push(`http://127.0.0.1:${port}`);
      await sources;
      running.child.kill(signal);
      const { code, stderr } = await running.ended;
      if (signal !== 'SIGKILL') {
        expect(code).toBe(130);
        expect(stderr).toContain('Firefox waits for the sources of 1.0.0. Push again, with them or without.');
        expect(stderr).toContain('Interrupted while sending the sources. What was already sent goes to the stores.');
      }
      const api = world.api.as(author);
      const target = async () =>
        (await api.post(`/extensions/${author.extensionId}/reconcile`)).body.targets.find(
          ({ store }: { readonly store: string }) => store === 'firefox',
        );
      expect(await target()).toMatchObject({
        phase: 'queued',
        message: expect.stringContaining('for the source code of version 1.0.0.'),
      });
      expect(await push(world.url).ended).toMatchObject({ code: 0 });
      expect(await target()).toMatchObject({ phase: expect.not.stringMatching('queued') });
      expect((await api.get(`/artifacts?extension=${author.extensionId}`)).body.artifacts).toMatchObject([
        { version: '1.0.0', sourceSha256: expect.any(String), sourceDueAt: null },
      ]);
      expect(await author.testStore('firefox').done()).toMatchObject({ uploads: 1 });
      server.close();
      server.closeAllConnections();
      await author.shell.close();
    },
  );
});
