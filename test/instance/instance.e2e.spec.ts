import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SAMPLES } from '../guard/secret-samples.js';
import {
  BackupWatchService,
  BackupWorker,
  DataSource,
  MailDeliveryWorker,
  Metrics,
  operatorOf,
  startWorld,
  VERSION,
  withWorkContext,
  type World,
} from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { partOf, SmtpServer } from '../support/smtp-server.js';

const S3_SECRET = 'a secret of the bucket';
const SMTP_SECRET = 'smtp-pass-83kd92';

describe('the instance', () => {
  let smtp: SmtpServer;
  let world: World;
  let operator: Tenant;
  beforeAll(async () => {
    smtp = await SmtpServer.start();
    const { port } = new URL(smtp.env['SMTP_URL'] ?? '');
    world = await startWorld({ env: { ...smtp.env, SMTP_URL: `smtp://mailer:${SMTP_SECRET}@127.0.0.1:${port}` } });
    operator = await world.given.tenant();
  });
  afterAll(async () => {
    await world.close();
    await smtp.close();
  });

  const as = ({ cookie }: Pick<Tenant, 'cookie'>) => world.api.as({ cookie });
  const shown = async () => expectStatus(await as(operator).get('/instance'), 200).body;
  const sql = (text: string, ...parameters: unknown[]) => world.app.get(DataSource).query(text, parameters);

  it('has its first user as its operator, and nobody who comes later, by whatever way', async () => {
    const others = [await world.given.tenant(), await world.given.member(operator, 'owner')];
    const operators = [];
    for (const one of [operator, ...others])
      operators.push(expectStatus(await as(one).get('/auth/me'), 200).body.user.operator);
    expect(operators).toEqual([true, false, false]);
  });

  it('has one operator, also when four sign up at once, and the user of BOOTSTRAP_EMAIL', async () => {
    const empty = await startWorld();
    const signUps = Array.from({ length: 4 }, (_, at) => ({
      email: `ann${at}@author.example`,
      password: 'a long enough password',
      tenantName: 'Author',
    }));
    await Promise.all(signUps.map(async (wanted) => expectStatus(await empty.api.post('/auth/signup', wanted), 201)));
    const counted = await empty.app.get(DataSource).query('select count(*)::int from tenant_user where is_operator');
    expect(counted).toEqual([{ count: 1 }]);
    await empty.close();
    const env = { BOOTSTRAP_EMAIL: 'ann@author.example', BOOTSTRAP_PASSWORD: 'a long enough password' };
    const bootstrapped = await startWorld({ env });
    const { email, password } = { email: env.BOOTSTRAP_EMAIL, password: env.BOOTSTRAP_PASSWORD };
    const { body } = expectStatus(await bootstrapped.api.post('/auth/login', { email, password }), 200);
    expect(body.user.operator).toBe(true);
    await bootstrapped.close();
  });

  it('answers operators only, with the next request after they were made or unmade', async () => {
    const service = await operatorOf(world.app);
    const byOperator = <T>(work: () => Promise<T>) =>
      withWorkContext({ actor: { kind: 'operator', name: 'make-operator' } }, work);
    const other = await world.given.tenant();
    const statuses = async () => {
      const answers = [await as(other).get('/instance'), await as(other).get('/instance/tenants')];
      return answers.map(({ status, body }) => `${status} ${body.code ?? ''}`);
    };
    const refused = Array<string>(2).fill('403 operator_required');
    expect(await statuses()).toEqual(refused);
    expect(await byOperator(() => service.makeOperator(other.email.toUpperCase()))).toEqual({
      user: other.email,
      operator: true,
    });
    await expect(service.makeOperator(other.email)).rejects.toThrow(/is already an operator/);
    expect(await statuses()).toEqual(['200 ', '200 ']);
    expect((await service.users()).find(({ email }) => email === other.email)).toMatchObject({ operator: true });
    expect(await byOperator(() => service.removeOperator(other.email))).toEqual({ user: other.email, operator: false });
    await expect(service.removeOperator(other.email)).rejects.toThrow(/is not an operator/);
    expect(await statuses()).toEqual(refused);
    await expect(service.makeOperator('nobody@author.example')).rejects.toMatchObject({ name: 'NotFoundForOperator' });
    const entries = await sql(
      `select action from audit_entry where tenant_id = $1 and action like 'user.%operator%' order by id`,
      other.tenantId,
    );
    expect(entries).toEqual([{ action: 'user.made_operator' }, { action: 'user.operator_removed' }]);
  });

  it('shows versions, checks, keys by id and the disk', async () => {
    const instance = await shown();
    expect(instance).toMatchObject({
      version: VERSION,
      commit: null,
      node: process.version,
      database: { version: expect.stringMatching(/^\d+/), embedded: false, pendingMigrations: [] },
      mail: { configured: true, lastSentAt: null, lastFailedAt: null, lastError: null },
      storage: { kind: 'folder' },
    });
    expect(instance.storage.freeBytes).toBeGreaterThan(1_000_000);
    expect(instance.checks.map(({ name, up }: { name: string; up: boolean }) => `${name} ${up}`)).toEqual([
      'database true',
      'migrations true',
      'keys true',
      'blobs true',
      'disk true',
    ]);
    expect(instance.keys).toEqual([
      { setting: 'ENCRYPTION_KEYS', id: 'k1', current: true, fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) },
      { setting: 'CODE_PEPPERS', id: 'k1', current: true, fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) },
      { setting: 'TOKEN_SECRET', id: '', current: true, fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) },
    ]);
    await sql(`delete from migration where name like 'Baseline%'`);
    const behind = await shown();
    await sql(`insert into migration (timestamp, name) values (1796000000000, 'Baseline1796000000000')`);
    expect(behind.database.pendingMigrations).toEqual(['Baseline1796000000000']);
    expect(behind.report).toContain('Migrations: Baseline1796000000000\nDown: migrations\n');
  });

  it('tells everybody who logs in, and Prometheus, the version that serves, and so does a path that it does not have', async () => {
    const { body } = expectStatus(await as(operator).get('/auth/me'), 200);
    expect(body.service).toEqual({ version: VERSION, commit: null });
    const { text } = await world.api.get('//metrics');
    expect(text).toContain(`pierhead_build_info{version="${VERSION}",commit="",node="${process.version}"} 1`);
    expect((await world.api.get('/things')).body).toMatchObject({ code: 'not_found', version: VERSION });
    expect((await world.api.delete('/auth/me')).body).toMatchObject({ code: 'method_not_allowed', version: VERSION });
  });

  it('shows for how long the oldest of each kind of work waits', async () => {
    const idle = await shown();
    expect(idle.waiting).toMatchObject({ deliverySeconds: null, inboxSeconds: null, rollUpSeconds: null });
    const seller = await world.given.publishable();
    const now = world.clock.now();
    const ago = (ms: number) => new Date(now.getTime() - ms);
    await sql('update target_status set next_check_at = $1 where target_id = $2', ago(2 * HOUR), seller.targetId);
    await sql('update mail set next_try_at = $1 where next_try_at is not null', ago(MINUTE));
    const endpoint = { kind: 'webhook', url: 'http://127.0.0.1:9/', events: ['live'] };
    const { id } = expectStatus(await world.api.as(seller).post('/notifications/endpoints', endpoint), 201).body;
    expectStatus(await world.api.as(seller).post(`/notifications/endpoints/${id}/test`), 201);
    await sql('update notification_delivery set next_try_at = $1 where next_try_at is not null', ago(3 * MINUTE));
    await sql(
      `insert into inbox_item (id, created_at, updated_at, tenant_id, processor, event_key, kind, happened_at, is_test, status)
       values ($1, $2, $2, $3, 'stripe', 'one', 'invoice.paid', $2, false, 'unmapped')`,
      randomUUID(),
      ago(DAY),
      seller.tenantId,
    );
    await sql('insert into analytics_day (day) values ($1::date) on conflict do nothing', ago(2 * DAY));
    const { waiting } = await shown();
    expect(waiting).toMatchObject({ targetSeconds: 7200, deliverySeconds: 180, inboxSeconds: 86_400 });
    expect(waiting.rollUpSeconds).toBeGreaterThanOrEqual(DAY / 1000);
    expect(waiting.rollUpSeconds).toBeLessThan((2 * DAY) / 1000);
  });

  it('shows Prometheus each metric that the alerts and the dashboard of deploy/ name, with the labels that they name', async () => {
    const deployed = (path: string) =>
      readFile(fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url)), 'utf8');
    const { text } = await world.api.get('//metrics');
    const used = (await deployed('prometheus/alerts.yml')) + (await deployed('grafana/pierhead.json'));
    const names = new Set([...used.matchAll(/\b(?:pierhead|nodejs|process)_\w+/g)].map(([name]) => name));
    expect(names.size).toBeGreaterThan(15);
    const shown = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`] : [name],
    );
    expect(shown).toEqual(expect.arrayContaining([...names]));
    expect(
      new Set([...text.matchAll(/pierhead_oldest_due_seconds\{work="(\w+)"\} \d+/g)].map(([, work]) => work)),
    ).toEqual(new Set(['target', 'delivery', 'mail', 'inbox', 'roll_up']));
    expect(text).toMatch(/^pierhead_oldest_due_seconds\{work="inbox"\} 86400$/m);
    expect(text).toMatch(/^pierhead_database_pool\{state="waiting"\} 0$/m);
    expect(text).toMatch(/^pierhead_check_up\{check="disk"\} 1$/m);
    expect(text).toMatch(/^pierhead_leases_lost_total\{worker="reconcile"\} 0$/m);
    expect(text).toMatch(/^pierhead_backup_overdue 0$/m);
    // There is no backup yet, and so neither an age nor a size.
    expect(text).not.toMatch(/^pierhead_backup_(?:age_seconds|size_bytes) /m);
  });

  it('gives each metric the labels by which the alerts and the dashboard choose, group and name it', async () => {
    const deployed = (path: string) =>
      readFile(fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url)), 'utf8');
    const alerts = parse(await deployed('prometheus/alerts.yml')) as {
      readonly groups: readonly { readonly rules: readonly { expr: string; annotations: object }[] }[];
    };
    const dashboard = JSON.parse(await deployed('grafana/pierhead.json')) as {
      readonly panels: readonly { readonly targets: readonly { expr: string; legendFormat: string }[] }[];
    };
    const uses = [
      ...alerts.groups.flatMap(({ rules }) =>
        rules.map(({ expr, annotations }) => [expr, JSON.stringify(annotations)]),
      ),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr, legendFormat }) => [expr, legendFormat])),
    ];
    const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
    const { registry } = world.app.get(Metrics);
    /** Prometheus adds the first two; the third parts a histogram. */
    const labelsOf = (metric: string) => {
      const { labelNames = [] } = registry.getSingleMetric(metric.replace(/_(?:bucket|count)$/, '')) as {
        readonly labelNames?: readonly string[];
      };
      return ['instance', 'job', ...(metric.endsWith('_bucket') ? ['le'] : []), ...labelNames];
    };
    for (const [expr = '', said = ''] of uses) {
      const grouped = all(expr, /\bby \(([^)]*)\)/g).flatMap((list) => list.split(', '));
      const named = all(said, /\{\{\s*(?:\$labels\.)?(\w+)/g);
      for (const [, metric = '', chosen = ''] of expr.matchAll(/\b((?:pierhead|nodejs|process)_\w+)(\{[^}]*\})?/g)) {
        const used = [...grouped, ...named, ...all(chosen, /(\w+)[=!]/g)];
        expect({ expr, unknown: used.filter((label) => !labelsOf(metric).includes(label)) }).toEqual({
          expr,
          unknown: [],
        });
      }
    }
  });

  it('shows when mail was last sent and last failed, and why', async () => {
    await world.given.invitation(operator, 'colleague@author.example');
    await world.app.get(MailDeliveryWorker).tick();
    const { mail } = await shown();
    expect(mail.lastSentAt ?? mail.lastFailedAt).not.toBeNull();
    smtp.refuse('RCPT', `550 5.1.1 ${SAMPLES.stripe['apiKey']?.secret}`);
    await world.given.invitation(operator, 'other@author.example');
    await world.app.get(MailDeliveryWorker).tick();
    const failed = (await shown()).mail;
    expect(failed.lastFailedAt).not.toBeNull();
    expect(failed.lastError).toMatch(/^\w+$/);
  });

  describe('with a schedule of backups', () => {
    const path = () => join(world.dataDir, 'backups');
    const ready = async () => {
      const answer = await other.api.get('//health/ready');
      return { status: answer.status, ...answer.body.details.backup };
    };
    let other: World;
    beforeAll(async () => {
      smtp.obey();
      other = await startWorld({ with: world, env: { ...smtp.env, BACKUP_EVERY_HOURS: '6' } });
    });
    afterAll(() => other.close());

    const overOther = async () =>
      expectStatus(await other.api.as({ cookie: operator.cookie }).get('/instance'), 200).body;
    const work = (one = other) => one.app.get(BackupWorker).tick();
    const mails = () => smtp.taken.filter(({ source }) => source.includes('BACKUP_EVERY_HOURS'));

    it('makes none without one, and one at once and then each time it is due, at one process of several', async () => {
      await work(world);
      expect(await shown()).toMatchObject({
        backups: { everyHours: null, nextAt: null },
        lastBackup: { outcome: null },
      });
      await Promise.all([work(), work(), work()]);
      const first = await overOther();
      const names = await readdir(path());
      expect(names).toHaveLength(1);
      expect(first.lastBackup).toEqual({
        outcome: 'succeeded',
        startedAt: expect.any(String),
        finishedAt: expect.any(String),
        name: names[0],
        sizeBytes: (await stat(join(path(), names[0] ?? ''))).size,
        error: null,
      });
      const startedAt = new Date(first.lastBackup.startedAt).getTime();
      expect(first.backups).toEqual({
        everyHours: 6,
        nextAt: new Date(startedAt + 6 * HOUR).toISOString(),
        lastSucceededAt: first.lastBackup.finishedAt,
        overdue: false,
      });
      await work();
      expect((await overOther()).lastBackup).toEqual(first.lastBackup);
      await world.forward(6 * HOUR);
      await work();
      expect((await overOther()).lastBackup.name).not.toBe(first.lastBackup.name);
      expect(await ready()).toMatchObject({ status: 'up', lastOutcome: 'succeeded', ageSeconds: 0 });
    });

    it('says why one failed, tries again in half an hour, and mails the operators once when none succeeds for a day', async () => {
      const { lastSucceededAt } = (await overOther()).backups;
      await rm(path(), { recursive: true });
      await writeFile(path(), 'a file where the folder should be');
      await world.forward(6 * HOUR);
      await work();
      const failed = await overOther();
      expect(failed.lastBackup).toMatchObject({
        outcome: 'failed',
        name: null,
        error: expect.stringMatching(/EEXIST|ENOTDIR/),
      });
      expect(failed.backups).toMatchObject({ lastSucceededAt, overdue: false });
      expect(Date.parse(failed.backups.nextAt) - Date.parse(failed.lastBackup.finishedAt)).toBe(30 * MINUTE);
      await other.app.get(BackupWatchService).check();
      await world.forward(DAY);
      await work();
      expect(await ready()).toMatchObject({ lastOutcome: 'failed', status: 'down' });
      expect((await other.api.get('//health/ready')).status).toBe(200);
      await Promise.all([1, 2, 3].map(() => other.app.get(BackupWatchService).check()));
      await other.app.get(MailDeliveryWorker).tick();
      expect(mails().map(({ to }) => to)).toEqual([[operator.email]]);
      expect(mails().map((mail) => partOf(mail, 'text/plain'))).toEqual([expect.stringMatching(/ENOTDIR|EEXIST/)]);

      await rm(path());
      await world.forward(30 * MINUTE);
      await work();
      expect((await overOther()).backups.overdue).toBe(false);
      await world.forward(2 * DAY);
      await other.app.get(BackupWatchService).check();
      await other.app.get(MailDeliveryWorker).tick();
      expect(mails()).toHaveLength(2);
    });

    it('counts one as failed whose process ended, and tries again later', async () => {
      // On a server no other process may be assumed dead before its work lock runs out.
      await work();
      await sql(
        `update backup_run set due_at = $1, started_at = $1, lease_token = gen_random_uuid(), lease_until = now() - interval '1 second' where state = 'due'`,
        world.clock.now(),
      );
      await work();
      const { lastBackup, backups } = await overOther();
      expect(lastBackup).toMatchObject({ outcome: 'failed', error: expect.stringContaining('ended') });
      expect(Date.parse(backups.nextAt) - world.clock.now().getTime()).toBe(30 * MINUTE);
      await world.forward(30 * MINUTE);
      await work();
      expect((await overOther()).lastBackup.outcome).toBe('succeeded');
    });
  });

  it('lists all tenants a page at a time, with what each has', async () => {
    const seller = await world.given.publishable();
    await world.given.member(seller, 'viewer');
    expectStatus(await world.given.pinned(seller, '1.0'), 201);
    const first = expectStatus(await as(operator).get('/instance/tenants?limit=1'), 200).body;
    expect(first.items).toEqual([
      {
        id: seller.tenantId,
        name: 'Author',
        quota: 'standard',
        plan: 'standard',
        extensions: 1,
        members: 2,
        storedBytes: expect.any(Number),
        lastActiveAt: expect.any(String),
        createdAt: expect.any(String),
      },
    ]);
    expect(first.items[0].storedBytes).toBeGreaterThan(100);
    const path = `/instance/tenants?limit=100&cursor=${first.nextCursor}`;
    const others = expectStatus(await as(operator).get(path), 200).body;
    expect(others.nextCursor).toBeNull();
    expect(others.items.at(-1)).toMatchObject({ id: operator.tenantId });
    const ids = others.items.map(({ id }: { readonly id: string }) => id);
    expect(ids).not.toContain(seller.tenantId);
  });

  it('has a report without a secret, an address, or anything of a tenant', async () => {
    const secrets = Object.values(SAMPLES).flatMap((samples) => Object.values(samples).map(({ secret }) => secret));
    for (const tenantName of secrets) {
      const email = `${randomUUID()}@author.example`;
      const signUp = { email, password: 'a long enough password', tenantName: tenantName.replaceAll('\n', ' ') };
      expectStatus(await world.api.post('/auth/signup', signUp), 201);
    }
    const keys = `${S3_SECRET.replaceAll(' ', '-')}:${Buffer.alloc(32, 9).toString('base64')}`;
    const env = {
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')},${keys}`,
      S3_SECRET_ACCESS_KEY: S3_SECRET,
    };
    const other = await startWorld({ with: world, env: { ...env, S3_ACCESS_KEY_ID: 'an id of the bucket' } });
    const answer = expectStatus(await other.api.as({ cookie: operator.cookie }).get('/instance'), 200);
    await other.close();
    const { report } = answer.body;
    expect(report).toContain('Keys: 2 of ENCRYPTION_KEYS, 1 of CODE_PEPPERS, 1 of TOKEN_SECRET\n');
    const database = new URL(world.database.url);
    const marked = [
      ...secrets,
      SMTP_SECRET,
      S3_SECRET,
      Buffer.alloc(32, 7).toString('base64'),
      'a secret that only the tests know and use',
      ...[database.password, database.pathname.slice(1)].filter(Boolean),
    ];
    for (const secret of marked) expect(answer.text).not.toContain(secret);
    const named = ['author.example', 'Author', 'colleague', '127.0.0.1', world.dataDir, 'k1', 'a-secret-of'];
    for (const name of named) expect(report).not.toContain(name);
    for (const { fingerprint } of answer.body.keys) expect(report).not.toContain(fingerprint);
    expect(report.split('\n')).toHaveLength(11);
  });
});
