import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Config } from '../config/index.js';
import { SECOND_MS } from '../system/index.js';
import { Semaphore } from './semaphore.js';

/** Starting the thread costs a push a tenth of a second, and keeping it some megabytes. */
const IDLE_MS = 60 * SECOND_MS;
/** Four times what the largest inputs need: V8 ends the whole process where a single large allocation does not fit. */
const MAX_HEAP_MIB = 256;

type Work = (input: never) => Promise<unknown>;

/** A function that a file exports. The file loads neither Nest nor TypeORM; the types are those of its function. */
export interface ThreadTask<F extends Work> {
  readonly file: URL;
  readonly name: string;
  readonly type?: F;
}

/** A task was ended, since it had used up what it may use. */
export class TaskTooCostly extends Error {
  /** @param limit such as `30 seconds` */
  constructor(readonly limit: string) {
    super(`The task needs more than ${limit}`);
  }
}

/**
 * Runs tasks on the bytes that strangers send in a thread of its own, one after the other, so that none of them holds up the process. The thread
 * starts with the first one and ends when it has been idle.
 */
@Injectable()
export class WorkerThread implements OnApplicationShutdown {
  private readonly log = new Logger(WorkerThread.name);
  private readonly oneAtATime = new Semaphore(1);
  private readonly pool = new Piscina({
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    // Otherwise what a task leaves to be closed would wait for the next one.
    atomics: 'disabled',
    // No task needs the secrets of the service.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });

  constructor(private readonly config: Config) {
    this.pool.on('error', (error: unknown) => this.log.error({ msg: 'the worker thread failed', err: error }));
  }

  /** @param input is copied, as the result is: both are plain data @throws TaskTooCostly, or what the task throws, as an Error without its class */
  run<F extends Work>({ file, name }: ThreadTask<F>, input: Parameters<F>[0]): ReturnType<F> {
    return this.oneAtATime.run(async (): Promise<unknown> => {
      const seconds = this.config.taskSeconds;
      // From its start, and not from when it was queued.
      const signal = AbortSignal.timeout(seconds * SECOND_MS);
      try {
        return await this.pool.run(input, { filename: file.href, name, signal });
      } catch (error) {
        if (signal.aborted) throw new TaskTooCostly(seconds === 1 ? '1 second' : `${seconds} seconds`);
        if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
          throw new TaskTooCostly(`${MAX_HEAP_MIB} MiB of memory`);
        throw error;
      }
    }) as ReturnType<F>;
  }

  /** After the last request has been answered. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}
