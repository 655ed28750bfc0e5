import childProcess, { type ChildProcess } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { performance, PerformanceObserver } from 'node:perf_hooks';
import { afterAll, beforeAll, expect } from 'vitest';
import pg from 'pg';
import { add, counted, PATH } from './timed.js';

/** Of the processor, in milliseconds: by this process, and by those that it started and that have ended (on Linux). */
function used(): { readonly own: number; readonly children: number } {
  const { user, system } = process.cpuUsage();
  const [, after = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const fields = after.split(' ');
  // cutime and cstime, in hundredths of a second.
  return { own: (user + system) / 1000, children: (Number(fields[13]) + Number(fields[14])) * 10 };
}

function watchOnce(): void {
  const state = globalThis as { isTestProfileOn?: boolean };
  if (state.isTestProfileOn === true) return;
  state.isTestProfileOn = true;
  // oxlint-disable-next-line typescript/unbound-method -- the proxy calls it as a method
  pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
    apply(query, client, given) {
      add('statements', 0);
      return Reflect.apply(query, client, given) as unknown;
    },
  });
  childProcess.spawn = new Proxy(childProcess.spawn, {
    apply(spawn, self, given) {
      const began = performance.now();
      const child = Reflect.apply(spawn, self, given) as ChildProcess;
      return child.once('exit', () => add('processes', performance.now() - began));
    },
  });
  syncBuiltinESMExports();
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) add('collections', duration);
  }).observe({ entryTypes: ['gc'] });
}

/** Measures the spec file that is about to be loaded. */
export function profileFile(): void {
  if (PATH === '') return;
  watchOnce();
  counted.clear();
  const [began, before, loop] = [performance.now(), used(), performance.eventLoopUtilization()];
  beforeAll(() => add('loading', performance.now() - began));
  afterAll(() => {
    const now = used();
    const line = {
      file: expect.getState().testPath,
      ms: performance.now() - began,
      cpuMs: now.own - before.own,
      childrenMs: now.children - before.children,
      waitedMs: performance.eventLoopUtilization(loop).idle,
      megabytes: process.memoryUsage.rss() / 1e6,
      kinds: Object.fromEntries(counted),
    };
    appendFileSync(PATH, `${JSON.stringify(line)}\n`);
  });
}
