import { once } from 'node:events';
import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { authorAt, whileWorking } from './author.js';

const FAULTS = ['refuses', 'drops before', 'drops after'] as const;

/** A proxy before the service that fails at each third request, in one way or another. */
async function badLineTo(url: string): Promise<{ readonly server: Server; readonly failed: () => number }> {
  let requests = 0;
  let failed = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const fault = requests % 3 === 0 ? FAULTS[failed++ % FAULTS.length] : undefined;
    if (fault === 'refuses') return void request.resume().once('end', () => response.writeHead(502).end('Bad gateway'));
    if (fault === 'drops before') return void request.socket.destroy();
    const { method, headers } = request;
    const onwards = ask(`${url}${request.url}`, { method, headers }, (answer) => {
      if (fault === 'drops after') return void request.socket.destroy();
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onwards);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, failed: () => failed };
}

describe('on a line that fails at each third request', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it('a push goes live all the same, as one version', async () => {
    const author = await authorAt(world, ['chrome', 'firefox']);
    const { server, failed } = await badLineTo(world.url);
    const { port } = server.address() as AddressInfo;
    const file = await author.pack('1.0.0');
    await author.shell.write('sources/index.ts', 'export {};');
    const args = ['push', file, '--sources', 'sources', '--no-lint', '--wait', 'live'];
    const running = author.shell.start(args, { env: { PIERHEAD_URL: `http://127.0.0.1:${port}` } });
    expect(await whileWorking(world, running)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ {2}Chrome {3}● 1\.0\.0 live .*\n {2}Firefox {2}● 1\.0\.0 live /),
      stderr: expect.stringContaining(`Waiting for http://127.0.0.1:${port}: it `),
    });
    expect(failed()).toBeGreaterThanOrEqual(3);
    for (const testStore of author.testStores) expect(await testStore.done()).toEqual({ uploads: 1, submissions: 1 });
    const { artifacts } = (await world.api.as(author).get(`/artifacts?extension=${author.extensionId}`)).body;
    expect(artifacts).toMatchObject([{ version: '1.0.0', sourceSha256: expect.any(String) }]);
    server.close();
    server.closeAllConnections();
    await author.shell.close();
  });
});
