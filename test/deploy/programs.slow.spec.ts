import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url));

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Runs a program of Debian's. @returns its exit code and what it wrote */
function run(program: string, args: readonly string[]): { status: number | null; output: string } {
  const env = { ...process.env, DOMAIN: 'pierhead.example' };
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env });
  return { status, output: stdout + stderr };
}

(existsSync('/usr/bin/caddy') ? describe : describe.skip)('Caddy', () => {
  it('accepts the Caddyfile', () => {
    const { status, output } = run('caddy', [
      'validate',
      '--adapter',
      'caddyfile',
      '--config',
      join(DEPLOY, 'caddy/Caddyfile'),
    ]);
    expect({ status, output }).toMatchObject({ status: 0, output: expect.stringContaining('Valid configuration') });
  });
});

(existsSync('/usr/bin/systemd-analyze') ? describe : describe.skip)('systemd', () => {
  const unit = join(DEPLOY, 'systemd/pierhead.service');

  it('finds no fault in the unit, and an exposure of less than 2 of 10', () => {
    expect(run('systemd-analyze', ['verify', unit]).output).not.toContain('pierhead.service:');
    expect(run('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]).status).toBe(0);
  });
});

(existsSync('/usr/bin/promtool') ? describe : describe.skip)('Prometheus', () => {
  const folder = join(DEPLOY, 'prometheus');

  it.each([
    ['check', 'config', 'prometheus.yml'],
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ])('finds no fault by promtool %s %s %s', (verb, what, file) => {
    expect(run('promtool', [verb, what, join(folder, file)])).toMatchObject({ status: 0 });
  });
});

describe('the schemas of Kubernetes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-kubernetes-'));

  // 32 MB that nothing else needs, so no package of the project.
  beforeAll(() => {
    spawnSync('npm', ['install', '--prefix', folder, '--no-save', 'kubernetes-models@4'], { stdio: 'ignore' });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const manifests = readdirSync(join(DEPLOY, 'kubernetes'))
    .filter((name) => name !== 'kustomization.yaml')
    .flatMap((name) => parseAllDocuments(readFileSync(join(DEPLOY, 'kubernetes', name), 'utf8')))
    .map((document) => document.toJS() as Manifest);

  const validate = (manifest: Manifest): void => {
    const require = createRequire(join(folder, 'node_modules/'));
    const models = require(`kubernetes-models/${manifest.apiVersion}`) as Record<
      string,
      new (fields: Manifest) => { validate(): void }
    >;
    const Model = models[manifest.kind];
    if (Model === undefined) throw new Error(`Kubernetes has no ${manifest.kind} in ${manifest.apiVersion}.`);
    new Model(manifest).validate();
  };

  it.each(manifests.map((manifest) => [manifest.kind, manifest] as const))('describe the %s', (_, manifest) => {
    expect(() => validate(manifest)).not.toThrow();
  });

  it('refuse a pod without a container', () => {
    const broken = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: {} };
    expect(() => validate(broken)).toThrow('containers');
  });
});
