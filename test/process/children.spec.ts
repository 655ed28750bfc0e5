import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

const CHILDREN = new URL('../../scripts/children.mjs', import.meta.url).href;
/** A shell that starts somebody who is deaf to SIGTERM, says who, and waits. */
const SHELL = `(trap '' TERM; exec sleep 300) & echo $!; wait`;
const SCRIPT = `import { startChild } from '${CHILDREN}';
  startChild('sh', ['-c', ${JSON.stringify(SHELL)}], { stdio: ['ignore', 'inherit', 'inherit'] });`;

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'a script that receives %s ends all that it has started',
  async (signal) => {
    const script = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(script, 'close');
    const [line] = (await once(createInterface({ input: script.stdout }), 'line')) as [string];
    const pid = Number(line);
    expect(lives(pid)).toBe(true);
    script.kill(signal);
    await ended;
    await expect.poll(() => lives(pid), { timeout: 10_000 }).toBe(false);
  },
);
