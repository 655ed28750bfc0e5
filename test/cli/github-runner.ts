import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { startWorld, type World } from '../support/app.js';
import { CiIssuer } from '../support/ci-issuer.js';

const ACTION = new URL('../../clients/action/', import.meta.url);

interface Described {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, object>>;
  readonly runs: { readonly using: string; readonly main: string };
}

/** What the runner reads of an action. */
export const described = async (): Promise<Described> =>
  parse(await readFile(new URL('action.yml', ACTION), 'utf8')) as Described;

/** How a step ended, and what it told the runner. */
export interface Step {
  readonly code: number | null;
  /** Commands such as `::error::`, and what else was printed. */
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The page of the job. */
  readonly summary: string;
}

/**
 * A runner of GitHub Actions that runs the committed bundle: inputs as variables, files for outputs and summary, and an address where a job
 * gets its own token. The service is behind the runner's address too, which is known before the service starts.
 */
export class GitHubRunner {
  private world: World | undefined;

  private constructor(
    private readonly front: Server,
    private readonly issuer: CiIssuer,
  ) {}

  static async start(): Promise<GitHubRunner> {
    const runner = new GitHubRunner(createServer(), await CiIssuer.start());
    runner.front.on('request', (asked, answered) => {
      const url = new URL(asked.url ?? '', 'http://runner');
      if (url.pathname === '/job-token')
        return void runner.jobToken(url.searchParams.get('audience')).then((value) => {
          answered.setHeader('content-type', 'application/json').end(JSON.stringify({ value }));
        });
      const { method = '', headers } = asked;
      const passed = request(`${runner.world?.url}${asked.url}`, { method, headers }, (answer) => {
        answered.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(answered);
      });
      asked.pipe(passed.on('error', () => answered.destroy()));
    });
    runner.front.listen(0, '127.0.0.1');
    await once(runner.front, 'listening');
    return runner;
  }

  /** Starts a runner with a service that trusts its jobs. */
  static async withService(): Promise<{ readonly runner: GitHubRunner; readonly world: World }> {
    const runner = await GitHubRunner.start();
    const world = await startWorld({ env: runner.env });
    runner.serves(world);
    return { runner, world };
  }

  /** Where the service is. */
  get url(): string {
    return `http://127.0.0.1:${(this.front.address() as AddressInfo).port}`;
  }

  /** What a service needs to trust the runner's jobs. */
  get env(): Readonly<Record<string, string>> {
    return { CI_ISSUERS: this.issuer.url, PUBLIC_URL: this.url };
  }

  serves(world: World): void {
    this.world = world;
  }

  /** Starts the action in a folder. @param inputs as a workflow gives them with `with` */
  async start(
    cwd: string,
    inputs: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly ended: Promise<Step> }> {
    const action = await described();
    const files = await mkdtemp(join(tmpdir(), 'pierhead-runner-'));
    const [output, summary] = [join(files, 'output'), join(files, 'summary')];
    await Promise.all([writeFile(output, ''), writeFile(summary, '')]);
    const values = Object.entries(action.inputs).map(([name, input]) => [
      `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
      inputs[name] ?? input.default ?? '',
    ]);
    const child = spawn(process.execPath, [fileURLToPath(new URL(action.runs.main, ACTION))], {
      cwd,
      env: {
        PATH: process.env['PATH'],
        GITHUB_ACTIONS: 'true',
        CI: 'true',
        GITHUB_WORKSPACE: cwd,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        ...Object.fromEntries(values),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
      async ([[code], out, errors]): Promise<Step> => {
        const step = {
          code: code as number | null,
          log: out + errors,
          outputs: outputsIn(await readFile(output, 'utf8')),
          summary: await readFile(summary, 'utf8'),
        };
        await rm(files, { recursive: true });
        return step;
      },
    );
    return { ended };
  }

  /** Runs a step's command in a folder, as `run` of a workflow does. @param env its `env`, and what the job has */
  async shell(
    cwd: string,
    command: string,
    env: Readonly<Record<string, string>>,
  ): Promise<Pick<Step, 'code' | 'log'>> {
    const home = await mkdtemp(join(tmpdir(), 'pierhead-runner-'));
    const child = spawn('bash', ['-eo', 'pipefail', '-c', command], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: home, GITHUB_ACTIONS: 'true', CI: 'true', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [[code], out, errors] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
    await rm(home, { recursive: true });
    return { code: code as number | null, log: out + errors };
  }

  /** The variables of a job with `permissions: id-token: write`. */
  get mayHaveToken(): Readonly<Record<string, string>> {
    return {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${this.url}/job-token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the runner',
    };
  }

  async close(): Promise<void> {
    this.front.closeAllConnections();
    this.front.close();
    await this.issuer.close();
  }

  /** The own token of a job, for an audience. */
  jobToken(aud: string | null): Promise<string> {
    const now = Math.floor((this.world?.clock.now() ?? new Date()).getTime() / 1000);
    const claims = { repository: 'acme/tab-counter', ref: 'refs/tags/v1.0.0', event_name: 'push', run_id: '7' };
    return this.issuer.sign({
      iss: this.issuer.url,
      aud: aud ?? '',
      jti: randomUUID(),
      iat: now,
      exp: now + 300,
      ...claims,
    });
  }
}

/** `name<<delimiter`, the value, and the delimiter again. */
function outputsIn(file: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = '', , value = ''] of file.matchAll(/^(.+?)<<(.+)\n([^]*?)\n\2$/gm)) found[name] = value;
  return found;
}
