import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from './process.js';

const PRELOAD = new URL('longest-block.mjs', import.meta.url).href;
/** What nobody notices, in milliseconds of a machine that does the sample of work in its time. */
const UNNOTICED_MS = 50;
const SAMPLE_MS = 12;
const SAMPLE = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at, text: `text ${at}` })));

/** Processor time of a fixed piece of work. */
function sampleMs(): number {
  const since = process.cpuUsage();
  for (let time = 0; time < 4; time += 1) JSON.parse(SAMPLE);
  return process.cpuUsage(since).user / 1000;
}

/** What nobody notices, by the processor time of this machine: a slower one takes longer for everything. */
export const MAX_BLOCK_MS = UNNOTICED_MS * Math.max(1, Math.min(...Array.from({ length: 5 }, sampleMs)) / SAMPLE_MS);
const TIMES = 3;
const LOOK_MS = 5;

/** Tells for how long a process holds everybody up at most while it does something, by the time that its main thread works. */
export class Blocks {
  private readonly file: string;

  private constructor(private readonly folder: string) {
    this.file = join(folder, 'ms');
  }

  static async watched(): Promise<Blocks> {
    return new Blocks(await mkdtemp(join(tmpdir(), 'pierhead-blocks-')));
  }

  /** Those of a service that is watched. */
  get settings(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import=${PRELOAD}`, LONGEST_BLOCK: this.file };
  }

  /** Of several runs the quickest: a compilation or a collection of garbage may fall into one of them. */
  async longestOf<Done>(
    service: Service,
    act: () => Promise<Done>,
  ): Promise<{ readonly ms: number; readonly done: Done }> {
    let ms = Infinity;
    for (let time = 1; ; time += 1) {
      await this.longestSince(service);
      const done = await act();
      ms = Math.min(ms, await this.longestSince(service));
      if (time === TIMES || ms < MAX_BLOCK_MS) return { ms, done };
    }
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }

  /** In a process that has just been started, since its start; else since this was asked the last time. */
  private async longestSince({ pid }: Service): Promise<number> {
    await rm(this.file, { force: true });
    process.kill(pid, 'SIGUSR2');
    for (;;) {
      const text = await readFile(this.file, 'utf8').catch(() => '');
      if (text !== '') return Number(text);
      await pause(LOOK_MS);
    }
  }
}
