import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly tmpfs: readonly string[];
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { services } = parse(read('docker-compose.yml')) as { readonly services: Readonly<Record<string, Service>> };

describe('docker-compose.yml', () => {
  it.each(Object.entries(services))(
    'lets %s write to its data and to what goes with it, and gives it no capability',
    (_, service) => {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      expect(service.tmpfs).toContain('/tmp');
      expect(service.volumes).toHaveLength(1);
    },
  );

  it('runs neither the database nor Pierhead as root', () => {
    expect(services['postgres']).toMatchObject({ user: 'postgres' });
    expect(read('Dockerfile')).toMatch(/\nUSER node\n/);
  });

  it.each(['PUBLIC_URL', 'TRUST_PROXY', 'ENCRYPTION_KEYS', 'TOKEN_SECRET', 'CODE_PEPPERS'])(
    'does not start until %s is said, and has no default for it',
    (name) => {
      expect(services['pierhead']?.environment[name]).toMatch(new RegExp(`^\\$\\{${name}:\\?[^}]+\\}$`));
      const [, withDocker = ''] = read('docs/operating.md').split('\n## Run with Docker Compose\n');
      expect(withDocker.split('\n## ')[0]).toMatch(new RegExp(`^${name}=`, 'm'));
    },
  );

  it('passes on every other setting of the .env file', () => {
    expect(services['pierhead']).toMatchObject({ env_file: '.env' });
  });

  it('listens on this machine alone', () => {
    expect(Object.values(services).flatMap(({ ports = [] }) => ports)).toEqual(['127.0.0.1:3000:3000']);
  });
});
