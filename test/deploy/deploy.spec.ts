import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../src/common/config/settings.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
const NAMES = Object.values(SETTINGS).map(({ name }) => name);

const MANIFESTS = 'deploy/kubernetes';
const manifests = readdirSync(join(ROOT, MANIFESTS))
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) => parseAllDocuments(read(`${MANIFESTS}/${name}`)))
  .map((document) => document.toJS() as Record<string, unknown>);
const find = (kind: string, name = 'pierhead'): Record<string, unknown> =>
  manifests.find((one) => one['kind'] === kind && (one['metadata'] as { name: string }).name === name) ?? {};

interface Alert {
  readonly alert: string;
  readonly labels: unknown;
  readonly annotations: { readonly runbook_url: string };
}

interface AlertTest {
  readonly alertname: string;
  readonly exp_alerts: readonly unknown[];
}

interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string }[];
  readonly volumeMounts: readonly { readonly mountPath: string }[];
}

describe('deploy/caddy', () => {
  const { services } = parse(read('deploy/caddy/compose.yml'), {
    customTags: [{ tag: '!reset', collection: 'seq', identify: () => false }],
  }) as { readonly services: Record<string, Record<string, unknown>> };

  it('takes the port of Pierhead from the machine, and lets Caddy alone listen', () => {
    expect(services['pierhead']).toEqual({
      environment: { PUBLIC_URL: expect.stringMatching(/^https:\/\/\$\{DOMAIN:\?/), TRUST_PROXY: 1 },
      ports: [],
    });
    expect(services['caddy']).toMatchObject({
      ports: ['80:80', '443:443', '443:443/udp'],
      read_only: true,
      cap_drop: ['ALL'],
      cap_add: ['NET_BIND_SERVICE'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('shows nobody outside the metrics and the health', () => {
    expect(read('deploy/caddy/Caddyfile')).toMatch(
      /@operating path \/metrics \/metrics\/\* \/health \/health\/\*\s+respond @operating 404/,
    );
  });
});

describe('deploy/kubernetes', () => {
  const pod = (find('Deployment')['spec'] as { template: { metadata: unknown; spec: unknown } }).template;
  const { containers } = pod.spec as { readonly containers: readonly Container[] };
  const [container] = containers;

  it('runs as the user of the image, who may write to the two folders only that the image has for it', () => {
    expect(pod.spec).toMatchObject({
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    });
    expect(read('Dockerfile')).toContain('DATA_DIR=/data');
    expect(container?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
  });

  it('selects its own pods in each object', () => {
    const labels = { 'app.kubernetes.io/name': 'pierhead' };
    expect(pod.metadata).toMatchObject({ labels });
    expect(find('Deployment')['spec']).toMatchObject({ selector: { matchLabels: labels } });
    expect(find('Service')['spec']).toMatchObject({ selector: labels });
    expect(find('PodDisruptionBudget')['spec']).toMatchObject({ minAvailable: 1, selector: { matchLabels: labels } });
  });

  it('asks for the health where the service answers it', () => {
    expect(container).toMatchObject({
      startupProbe: { httpGet: { path: '/health/ready', port: 'http' } },
      livenessProbe: { httpGet: { path: '/health/live', port: 'http' } },
      readinessProbe: { httpGet: { path: '/health/live', port: 'http' } },
    });
  });

  it('sets only what Pierhead reads, and lists in the kustomization each file that there is', () => {
    expect(NAMES).toEqual(expect.arrayContaining((container?.env ?? []).map(({ name }) => name)));
    const { resources, images } = parse(read(`${MANIFESTS}/kustomization.yaml`)) as {
      readonly resources: readonly string[];
      readonly images: readonly { readonly name: string }[];
    };
    expect([...resources, 'kustomization.yaml'].sort()).toEqual(readdirSync(join(ROOT, MANIFESTS)).sort());
    expect(images.map(({ name }) => name)).toEqual([container?.image]);
  });
});

describe('deploy/prometheus', () => {
  const { groups } = parse(read('deploy/prometheus/alerts.yml')) as {
    readonly groups: readonly { readonly rules: readonly Alert[] }[];
  };
  const alerts = groups.flatMap(({ rules }) => rules);

  it.each(alerts.map((alert) => [alert.alert, alert] as const))(
    '%s is said, has a remedy, and leads to it',
    (_, alert) => {
      expect(alert.labels).toEqual({ severity: expect.stringMatching(/^(page|ticket)$/) });
      expect(alert.annotations).toEqual({
        summary: expect.stringMatching(/\.$/),
        remedy: expect.stringMatching(/\.$/),
        runbook_url: expect.stringMatching(/^docs\/operating\.md#/),
      });
      const [, anchor] = alert.annotations.runbook_url.split('#');
      const headings = all(read('docs/operating.md'), /^##+ (.+)$/gm);
      expect(headings.map((heading) => heading.toLowerCase().replaceAll(' ', '-'))).toContain(anchor);
    },
  );

  it('has tests in which each alert fires and in which it stays silent', () => {
    const { tests } = parse(read('deploy/prometheus/alerts.test.yml')) as {
      readonly tests: readonly { readonly alert_rule_test: readonly AlertTest[] }[];
    };
    const tried = tests
      .flatMap(({ alert_rule_test: each }) => each)
      .map(({ alertname, exp_alerts: expected }) => `${alertname} ${expected.length > 0 ? 'fires' : 'is silent'}`);
    const wanted = alerts.flatMap(({ alert }) => [`${alert} fires`, `${alert} is silent`]);
    expect(tried.toSorted()).toEqual(wanted.toSorted());
  });
});

describe('deploy/systemd', () => {
  it('starts what the package installs, sets only what Pierhead reads, and does not start again after faulty settings', () => {
    const unit = read('deploy/systemd/pierhead.service');
    const [, program] = /bin: \{ 'pierhead-service': '(.+)' \}/.exec(read('scripts/pack.mjs')) ?? [];
    expect(unit).toContain(`ExecStart=/usr/bin/node node_modules/pierhead-service/${program}\n`);
    expect(unit).toContain('RestartPreventExitStatus=78\n');
    const [set = ''] = all(unit, /^Environment=(.*)$/gm);
    expect([...NAMES, 'NODE_ENV', 'MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_']).toEqual(
      expect.arrayContaining(all(set, /(\w+)=/g)),
    );
  });
});

describe('.github/workflows', () => {
  it.each(readdirSync(join(ROOT, '.github/workflows')))('%s runs only what is there', (name) => {
    const text = read(`.github/workflows/${name}`);
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Record<string, string> };
    for (const script of all(text, /npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(script);
    for (const path of all(text, /(?:node |run: |uses: \.\/)((?:scripts|\.ci|\.github)\/[\w./-]+)/g))
      expect(existsSync(join(ROOT, path))).toBe(true);
  });
});

describe('a release', () => {
  const notes = (tag: string, prepare: (folder: string) => void = () => undefined) => {
    const folder = mkdtempSync(join(tmpdir(), 'pierhead-release-'));
    for (const path of [
      'package.json',
      'CHANGELOG.md',
      'deploy',
      'scripts',
      'README.md',
      'SECURITY.md',
      'Dockerfile',
      'docs',
      'console/package.json',
      'sandbox/package.json',
      ...['action', 'cli', 'licensing'].flatMap((name) => [
        `clients/${name}/package.json`,
        `clients/${name}/README.md`,
      ]),
    ])
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    prepare(folder);
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/release-notes.mjs'), tag], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    return { status, stdout, stderr };
  };
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };

  it.each([
    'README.md',
    'docs/ci.md',
    'clients/cli/src/connecting/workflow.ts',
    'console/src/pages/settings/ci-page.tsx',
  ])('is not what %s waits for: it names no action or package that does not exist yet', (path) => {
    expect(read(path)).not.toMatch(/pierhead\/action@|npx --yes pierhead|npm install -g pierhead/);
  });

  it.each(['clients/licensing', 'clients/cli', 'clients/action'])(
    'packs %s with its license, its guide and where it comes from',
    (path) => {
      const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json'], { cwd: join(ROOT, path), encoding: 'utf8' });
      const [{ files }] = JSON.parse(stdout) as [{ files: readonly { readonly path: string }[] }];
      expect(files.map((file) => file.path)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
      expect(read(`${path}/LICENSE`)).toBe(read('LICENSE'));
      const { repository } = JSON.parse(read(`${path}/package.json`)) as { readonly repository: unknown };
      // npm refuses a package whose provenance names another repository than the package does.
      const [, signer = ''] = /(github\.com\/\w+\/\w+)\//.exec(read('SECURITY.md').replaceAll('\\', '')) ?? [];
      expect(repository).toEqual({ type: 'git', url: `git+https://${signer}.git`, directory: path });
    },
  );

  it('is described by its section of the changelog', () => {
    const released = notes(`v${version}`, (folder) => {
      const log = `# Changelog\n\n## Unreleased\n\nNot yet.\n\n## ${version} – 2027-01-01\n\n### Added\n\n- A thing.\n\n## 0.0.1 – 2026-01-01\n\nOld.\n`;
      writeFileSync(join(folder, 'CHANGELOG.md'), log);
    });
    expect(released).toEqual({ status: 0, stdout: '### Added\n\n- A thing.\n', stderr: '' });
  });

  it('is refused under a version that some part of the repository does not have', () => {
    const { status, stdout, stderr } = notes('v9.9.9');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(all(stderr, /^(\S+?):? /gm)).toEqual(
      expect.arrayContaining([
        'package.json',
        'console/package.json',
        'sandbox/package.json',
        'clients/action/package.json',
        'clients/cli/package.json',
        'clients/licensing/package.json',
        'deploy/kubernetes/kustomization.yaml',
        'Dockerfile',
        'README.md',
        'SECURITY.md',
        'clients/licensing/README.md',
        'CHANGELOG.md',
      ]),
    );
  });

  it('has its version in the lock file', () => {
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      version,
      packages: { '': { version }, 'clients/cli': { version }, console: { version } },
    });
  });
});
