import type { Stats } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { Kernel, Party } from './kernel.js';

const require = createRequire(import.meta.url);

type AnyFunction = (...args: readonly unknown[]) => unknown;

/** Ways to write that take the path first, and those that move to a second one. */
const WRITES = new Set(['open', 'writeFile', 'appendFile', 'mkdir', 'utimes']);
const MOVES = new Set(['rename', 'link', 'copyFile']);
const LOOKS = new Set(['stat', 'lstat']);
/** Whether a call fails on a full disk. */
const needsRoom = (name: string, [, flags]: readonly unknown[]): boolean =>
  ['writeFile', 'appendFile', 'copyFile'].includes(name) || (name === 'open' && /[wa]/.test(String(flags)));
/** In the path of each file of the simulated world. */
export const WORLD_FOLDER = 'pierhead-sim-';
/** Milliseconds that a call takes. */
const LATENCY = [0.05, 0.5] as const;

/**
 * Files are real files, in a folder of the run's own. When each was written is told in the world's time, since the machine's own is
 * another.
 */
export class SimulatedDisk {
  private readonly written = new Map<string, number>();
  /** Whether there is no room for what someone writes now. */
  isFull: (party: Party) => boolean = () => false;

  constructor(private readonly kernel: Kernel) {}

  /** Every call of the file system becomes a happening of its own. */
  takeOver(): void {
    const promised = require('node:fs/promises') as Record<string, unknown>;
    for (const [name, real] of Object.entries(promised))
      if (typeof real === 'function' && name !== 'watch') promised[name] = this.replaced(name, real as AnyFunction);
    syncBuiltinESMExports();
  }

  private replaced(name: string, real: AnyFunction): AnyFunction {
    return (...args) => {
      // What Node reads by itself, as it loads a module, is none of the world's files.
      if (!String(args[0]).includes(WORLD_FOLDER)) return real(...args);
      return new Promise((resolve, reject) => {
        const [low, high] = LATENCY;
        const party = this.kernel.current;
        const call = async (): Promise<unknown> => {
          if (needsRoom(name, args) && this.isFull(party))
            throw Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), { code: 'ENOSPC' });
          const result = await real(...args);
          if (WRITES.has(name)) this.written.set(String(args[0]), this.kernel.now());
          if (MOVES.has(name)) this.written.set(String(args[1]), this.kernel.now());
          return LOOKS.has(name) ? this.inWorldTime(String(args[0]), result as Stats) : result;
        };
        const latency = this.kernel.random.between(low, high);
        this.kernel.later(latency, '', () => void this.kernel.counting(call).then(resolve, reject));
      });
    };
  }

  private inWorldTime(path: string, found: Stats): Stats {
    const ms = this.written.get(path) ?? this.kernel.startMs;
    return Object.assign(found, { mtimeMs: ms, mtime: new Date(ms) });
  }
}
