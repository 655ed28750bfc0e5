import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { GitHubRunner } from './github-runner.js';

const GUIDE = new URL('../../docs/ci.md', import.meta.url);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RULE = { name: 'Releases', repository: 'acme/tab-counter', ref: 'refs/tags/v*' };
/** A job that should have ended and has not. */
const GIVE_UP_MS = 60_000;

/** The files of docs/ci.md, by their names. */
async function filesOfGuide(): Promise<Readonly<Record<string, string>>> {
  const fences = (await readFile(GUIDE, 'utf8')).matchAll(/^```yaml title="(.+?)"\n([^]*?)^```$/gm);
  return Object.fromEntries([...fences].map(([, name = '', file = '']) => [name, file]));
}

interface Job {
  readonly script: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly id_tokens: object;
}

describe("the guide's job of GitLab", () => {
  let runner: GitHubRunner;
  let world: World;
  let folder: string;
  let job: Job;
  beforeAll(async () => {
    ({ runner, world } = await GitHubRunner.withService());
    folder = await mkdtemp(join(tmpdir(), 'pierhead-ci-'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'extension.zip'), await packageOf('1.3.0'));
    job = (parse((await filesOfGuide())['.gitlab-ci.yml'] ?? '') as { readonly publish: Job }).publish;
  });
  afterAll(async () => {
    await world.close();
    await runner.close();
    await rm(folder, { recursive: true });
  });

  /** Runs the script as GitLab does: its lines in one shell, which ends at the first failure. */
  const run = async ({ tenantId }: Tenant): Promise<{ code: number | null; said: string }> => {
    const lines = job.script.map((line) =>
      line.replace(' push ', ' push extension.zip ').replace('--wait submitted', ''),
    );
    const [audience] = Object.keys(job.id_tokens);
    const child = spawn('bash', ['-eo', 'pipefail', '-c', lines.join('\n')], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        CI: 'true',
        ...job.variables,
        PIERHEAD_URL: runner.url,
        PIERHEAD_TENANT: tenantId,
        [audience ?? '']: await runner.jobToken(runner.url),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: GIVE_UP_MS,
    });
    const [[code], out, errors] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
    return { code: code as number | null, said: out + errors };
  };

  it('trades its token and pushes', async () => {
    const tenant = await world.given.tenant();
    await world.given.publishable({}, tenant);
    const [extension] = expectStatus(await world.api.as(tenant).get('/extensions'), 200).body.items;
    const renamed = await world.api.as(tenant).patch(`/extensions/${extension.id}`, { name: 'Tab Counter' });
    expectStatus(renamed, 200);
    const rule = { ...RULE, scopes: ['artifacts:write', 'extensions:read'], extensionIds: [extension.id] };
    expectStatus(await world.api.as({ cookie: tenant.cookie }).post('/ci/trust-rules', rule), 201);
    const { code, said } = await run(tenant);
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('Pushed Tab Counter 1.3.0.') });
    expect(said).not.toContain('eyJ');
  });

  it('fails without a rule, and says what to add', async () => {
    const { code, said } = await run(await world.given.tenant());
    expect({ code, said }).toEqual({ code: 4, said: expect.stringContaining('Add a rule with this repository') });
  });
});

it("the guide's workflow of GitHub runs what the service gives away, and may have a token", async () => {
  const workflow = parse((await filesOfGuide())['.github/workflows/publish.yml'] ?? '') as {
    readonly permissions: object;
    readonly jobs: {
      readonly publish: { readonly steps: readonly { readonly run?: string; readonly env?: object }[] };
    };
  };
  expect(workflow.permissions).toMatchObject({ 'id-token': 'write' });
  const step = workflow.jobs.publish.steps.at(-1);
  expect(step?.run).toMatch(/^npx --yes https:\/\/pierhead\.example\/cli\/pierhead\.tgz push /);
  expect(Object.keys(step?.env ?? {})).toEqual(['PIERHEAD_URL', 'PIERHEAD_TENANT']);
});
