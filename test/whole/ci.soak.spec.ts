import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Author } from '../reconcile/author.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';

const GUIDE = new URL('../../docs/ci.md', import.meta.url);
const MINUTE = '60_000';
/** A job that should have ended and has not. */
const GIVE_UP_MS = 30_000;

describe('the job of docs/ci.md that waits until a version is live', () => {
  let world: World;
  let script: string;
  beforeAll(async () => {
    world = await startWorld();
    const [, section = ''] = (await readFile(GUIDE, 'utf8')).split('\n## Wait until the version is live\n');
    script = /```sh\n(node [\s\S]*?)```/.exec(section)?.[1] ?? '';
    // A minute between two looks, in the time of a test.
    expect(script).toContain(MINUTE);
    script = script.replace(MINUTE, '20');
  });
  afterAll(() => world.close());

  /** Runs what stands in the guide, as a shell of CI would. */
  const job = (author: Author, env: Readonly<Record<string, string>> = {}) => {
    const { extensionId, targetId, token } = author.mine;
    const child = spawn('sh', ['-e', '-c', script], {
      env: {
        PATH: process.env['PATH'],
        API: `${world.url}/api/v1`,
        TOKEN: token,
        EXTENSION: extensionId,
        TARGET: targetId,
        VERSION: '1.0.0',
        ...env,
      },
      stdio: ['ignore', 'inherit', 'pipe'],
      timeout: GIVE_UP_MS,
    });
    const said: string[] = [];
    const lines = createInterface({ input: child.stderr }).on('line', (line) => void said.push(line));
    const code = once(child, 'close').then(([ended]) => ended as number | null);
    return { code, said, speaks: () => once(lines, 'line'), stop: () => void child.kill() };
  };

  it('continues while the version is in review, and succeeds once it is live', async () => {
    const author = await Author.in(world, { approveAfterPolls: null });
    expectStatus(await author.push('1.0.0'), 201);
    await author.reconcile();
    const { code, said, speaks } = job(author);
    await speaks();
    await author.act('approve');
    await author.reconcile();
    expect(await code).toBe(0);
    expect(said[0]).toBe('in_review: Version 1.0.0 is in review at the store.');
    expect(said.at(-1)).toBe('live: Version 1.0.0 is live.');
  });

  it('fails when the store rejects the version', async () => {
    const author = await Author.in(world, { approveAfterPolls: null });
    expectStatus(await author.push('1.0.0'), 201);
    await author.reconcile();
    await author.act('reject');
    await author.reconcile();
    const { code, said } = job(author);
    expect(await code).toBe(1);
    expect(said).toEqual([expect.stringMatching(/^rejected: /), expect.stringMatching(/^rejected: /)]);
  });

  it('fails at once when its token lacks the scope, and reports why', async () => {
    const author = await Author.in(world);
    const { code, said } = job(author, { TOKEN: await world.given.token(author.mine, ['artifacts:write']) });
    expect(await code).toBe(1);
    expect(said.join('\n')).toMatch(/403 .*insufficient_scope/);
  });

  it('retries when the service does not answer', async () => {
    const author = await Author.in(world);
    const { said, speaks, stop, code } = job(author, { API: 'http://127.0.0.1:9' });
    await speaks();
    await speaks();
    stop();
    expect(await code).not.toBe(0);
    expect(said[1]).toMatch(/^Asking again: /);
  });
});
