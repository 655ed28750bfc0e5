import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../config/index.js';
import { TaskTooCostly, WorkerThread, type ThreadTask } from './worker-thread.js';

const FILE = new URL('../../../test/support/thread-tasks.mjs', import.meta.url);
const task = (name: string): ThreadTask<(input: number) => Promise<number>> => ({ file: FILE, name });

describe('the worker thread', () => {
  const threads: WorkerThread[] = [];
  afterEach(() => Promise.all(threads.splice(0).map((one) => one.onApplicationShutdown())));

  function thread(taskSeconds = 1): WorkerThread {
    const made = new WorkerThread({ taskSeconds } as Config);
    threads.push(made);
    return made;
  }

  it('is kept for the next task', async () => {
    const own = thread();
    expect(await own.run(task('thread'), 0)).toBe(await own.run(task('thread'), 0));
  });

  it.each([
    ['time', 'endless', 1, '1 second'],
    ['memory', 'greedy', 60, '256 MiB of memory'],
  ])('ends a task that takes too much %s, and carries out the next one', async (_, name, seconds, limit) => {
    const own = thread(seconds);
    const [first, next] = await Promise.allSettled([own.run(task(name), 0), own.run(task('twice'), 21)]);
    expect(first).toEqual({ status: 'rejected', reason: new TaskTooCostly(limit) });
    expect(next).toEqual({ status: 'fulfilled', value: 42 });
  });

  it('counts the time of a task from its start', async () => {
    const own = thread();
    const slept = Array.from({ length: 4 }, () => own.run(task('sleep'), 400));
    expect(await Promise.all(slept)).toEqual([400, 400, 400, 400]);
  });

  it('knows no settings', async () => {
    expect(await thread().run(task('settings'), 0)).toBe(0);
  });

  it('hands on what a task throws', async () => {
    await expect(thread().run(task('faulty'), 0)).rejects.toThrow('out of order');
  });
});
