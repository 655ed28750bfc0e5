import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Config, ConfigFault } from '../../common/config/index.js';
import { Semaphore } from '../../common/jobs/index.js';
import { SECOND_MS } from '../../common/system/index.js';
import type { LinterError } from './firefox.linter.js';

/** From the push's arrival: a push that had to wait for others has less. */
const TIMEOUT_MS = 60 * SECOND_MS;
const MAX_HEAP_MIB = 512;
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/** Runs the addons-linter that is installed at ADDONS_LINTER: one at a time, each in a process of its own. */
@Injectable()
export class AddonsLinter implements OnModuleDestroy {
  private readonly log = new Logger(AddonsLinter.name);
  private readonly oneAtATime = new Semaphore(1);
  private readonly stopping = new AbortController();

  constructor(private readonly config: Config) {}

  /** Refuses a program that is not there before Nest makes this class. @throws ConfigFault */
  static assertInstalled({ addonsLinter }: Pick<Config, 'addonsLinter'>): void {
    if (addonsLinter === undefined) return;
    try {
      accessSync(addonsLinter, constants.R_OK);
    } catch (error) {
      throw new ConfigFault([`ADDONS_LINTER must be the path of addons-linter: ${(error as Error).message}`]);
    }
  }

  get isInstalled(): boolean {
    return this.config.addonsLinter !== undefined;
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /** Its errors about a zip; none where it does not finish in time, since the rules have judged the package already. */
  async errorsIn(path: string): Promise<readonly LinterError[]> {
    const { addonsLinter } = this.config;
    if (addonsLinter === undefined) return [];
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.stopping.signal]);
    try {
      return await this.oneAtATime.run(async () => errorsOf(await run(addonsLinter, path, signal)));
    } catch (error) {
      this.log.warn(`addons-linter did not judge a package: ${(error as Error).message}`);
      return [];
    }
  }
}

/** Its exit code says whether there are errors, as its report does. It is told none of the service's secrets. */
function run(program: string, path: string, signal: AbortSignal): Promise<string> {
  const args = [`--max-old-space-size=${MAX_HEAP_MIB}`, program, '--output', 'json', '--boring', path];
  const options = { maxBuffer: MAX_OUTPUT_BYTES, killSignal: 'SIGKILL', signal, env: {} } as const;
  return new Promise((done, reject) => {
    execFile(process.execPath, args, options, (error, stdout) => {
      if (signal.aborted || stdout === '') reject(error ?? new Error('It printed no report.'));
      else done(stdout);
    });
  });
}

/** @throws Error for what is no report */
function errorsOf(output: string): readonly LinterError[] {
  const { errors } = JSON.parse(output) as { readonly errors?: unknown };
  if (!Array.isArray(errors)) throw new Error('Its report has no errors.');
  return (errors as readonly Readonly<Record<string, unknown>>[]).map(({ code, message, file, line }) => ({
    code: String(code),
    message: String(message),
    file: typeof file === 'string' ? file : null,
    line: typeof line === 'number' ? line : null,
  }));
}
