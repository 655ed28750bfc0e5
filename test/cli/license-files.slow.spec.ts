import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ImportWorker, startWorld, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { PseudoTerminal } from './pseudo-terminal.js';
import { Shell } from './shell.js';

const KEPT = '38b1460a-5104-4067-a91d-77b872934d51';
const SOLD = `email,tier,code,order\nann@example.com,pro,${KEPT},\nben@example.com,pro,,LS-1\n`;

describe('files of licenses at the shell', () => {
  let world: World;
  let tenant: Tenant;
  let shell: Shell;
  let working: NodeJS.Timeout;
  beforeAll(async () => {
    world = await startWorld();
    // The command waits for the worker, which sleeps in a test.
    working = setInterval(() => void world.app.get(ImportWorker).tick(), 100);
  });
  afterAll(() => {
    clearInterval(working);
    return world.close();
  });
  beforeEach(async () => {
    tenant = await world.given.tenant();
    const extensionId = await world.given.extension(tenant, 'Night Owl');
    expectStatus(await world.api.as(tenant).post('/plans', { extensionId, tier: 'pro' }), 201);
    shell = await Shell.for(tenant, world.url);
    await shell.write('sold.csv', SOLD);
  });
  afterEach(() => shell.close());

  const sold = async (): Promise<readonly string[]> =>
    expectStatus(await world.api.as(tenant).get('/licenses'), 200).body.items.map(
      ({ buyerEmail }: { readonly buyerEmail: string }) => buyerEmail,
    );
  const modeOf = async (name: string): Promise<number> => (await stat(join(shell.folder, name))).mode & 0o777;

  it('are previewed, imported once, and answer the codes that were made once', async () => {
    expect(await shell.run(['licenses', 'import', 'sold.csv', '--dry-run'])).toEqual({
      code: 0,
      stdout: '2 of 2 to import to Night Owl. 0 already exist.\n',
      stderr: '',
    });
    expect(await shell.run(['licenses', 'import', 'sold.csv'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/cannot ask without a terminal\.\n.*--yes/),
    });
    expect(await sold()).toEqual([]);
    const first = await shell.run(['licenses', 'import', '--yes'], { stdin: SOLD });
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^email,code\nben@example\.com,[0-9A-Z]{5}(-[0-9A-Z]{5}){4}\n$/),
      stderr: expect.stringContaining('Imported 2. 0 already existed.'),
    });
    expect(await shell.run(['licenses', 'import', 'sold.csv'])).toEqual({
      code: 0,
      stdout: '0 of 2 to import to Night Owl. 2 already exist.\n',
      stderr: '',
    });
    expect(await sold()).toHaveLength(2);
    expect(shell.said).not.toContain(KEPT);
  });

  it('are imported after confirmation in the terminal, with codes that nobody else can read', async () => {
    const import_ = (): PseudoTerminal =>
      PseudoTerminal.run(shell, ['licenses', 'import', 'sold.csv', '--out', 'codes.csv']);
    for (const [keys, end] of [
      [['enter'], 1],
      [['interrupt'], 130],
    ] as const) {
      const terminal = import_();
      await terminal.reads(/2 of 2 to import to Night Owl\.[^]*Import them\?/);
      terminal.press(...keys);
      expect(await terminal.ends()).toBe(end);
      expect(await sold()).toEqual([]);
    }
    const terminal = import_();
    await terminal.answers(/Import them\?/, 'y');
    await terminal.reads(/Imported 2\.[^]*codes\.csv/);
    expect(await terminal.ends()).toBe(0);
    const [head, row, ...others] = (await shell.read('codes.csv')).trimEnd().split('\n');
    expect([head, row, others]).toEqual(['email,code', expect.stringMatching(/^ben@example\.com,.{29}$/), []]);
    expect(await modeOf('codes.csv')).toBe(0o600);
    expect(terminal.said).not.toContain(row?.split(',')[1]);
  });

  it('are imported whole or not at all', async () => {
    const csv = `${SOLD}cid@example.com,gold,,LS-2\nnobody,pro,,LS-3\n`;
    const { code, stdout, stderr } = await shell.run(['licenses', 'import', '--yes', '--out', 'x.csv'], { stdin: csv });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('2 of 4 lines cannot be imported. Nothing was changed.');
    expect(stderr).toMatch(/line 4: tier: no tier is said for "gold"/);
    expect(stderr).toMatch(/--tier 'gold=…'.*--skip-faults/);
    expect(stderr).toMatch(/line 5: email: /);
    expect(await shell.run(['licenses', 'import'], { stdin: '' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The file is empty.'),
    });
    await shell.write('codes.csv', 'older codes');
    for (const [out, why] of [
      ['codes.csv', 'exists already'],
      ['no/codes.csv', 'cannot be written'],
    ])
      expect(await shell.run(['licenses', 'import', 'sold.csv', '--yes', '--out', out ?? ''])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(why ?? ''),
      });
    expect(await sold()).toEqual([]);
    expect(await shell.read('codes.csv')).toBe('older codes');
  });

  it('of another tool are read by their columns, and by what the options say', async () => {
    await shell.write(
      'sales.csv',
      'Mail;Serial;Kind\nann@example.com;38b1460a51044067a91d77b872934d51;gold\nbob@example.com;;book\n',
    );
    expect(await shell.run(['licenses', 'import', 'sales.csv'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('1 of 2 lines cannot be imported. Nothing was changed.'),
    });
    const reading = ['--map', 'Kind=tier', '--tier', 'gold=pro', '--tier', 'book=-'];
    expect(await shell.run(['licenses', 'import', 'sales.csv', '--dry-run', ...reading])).toMatchObject({
      code: 0,
      stdout: '1 of 2 to import to Night Owl. 0 already exist. 1 are left out.\n',
    });
    expect(await shell.run(['licenses', 'import', 'sales.csv', '--yes', ...reading])).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(await sold()).toEqual(['ann@example.com']);
    expect((await world.api.as(tenant).get('/license-imports')).body.items).toEqual([]);
  });

  it('that were imported while nobody waited answer their codes when they are imported again', async () => {
    const api = world.api.as(tenant);
    const { items } = expectStatus(await api.get('/extensions'), 200).body;
    const sent = { raw: SOLD, headers: { 'content-type': 'text/csv' } };
    const { id } = expectStatus(await api.post(`/license-imports?extension=${items[0].id}`, undefined, sent), 201).body;
    const stateIs = async (state: string): Promise<boolean> =>
      expectStatus(await api.get(`/license-imports/${id}`), 200).body.state === state;
    while (!(await stateIs('ready'))) await setImmediate();
    expectStatus(await api.post(`/license-imports/${id}/start`, {}), 200);
    while (!(await stateIs('done'))) await setImmediate();
    expect(await shell.run(['licenses', 'import', 'sold.csv', '--dry-run'])).toMatchObject({
      code: 0,
      stdout: 'Its import was carried out already.\n',
    });
    expect(await shell.run(['licenses', 'import', 'sold.csv'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^email,code\nben@example\.com,.{29}\n$/),
      stderr: expect.stringMatching(/was carried out already\.[^]*Imported 2\./),
    });
    expect(expectStatus(await api.get('/license-imports'), 200).body.items).toEqual([]);
  });

  it('are exported without codes, for the eyes of the user alone', async () => {
    const made = await shell.json(['licenses', 'import', 'sold.csv', '--yes', '--out', 'codes.csv']);
    expect(made).toMatchObject({ state: 'done', created: 2, codes: 1 });
    expect(made).not.toHaveProperty('issued');
    const printed = await shell.run(['licenses', 'export', '--extension', 'night owl']);
    expect(printed).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^id,.*\r\n.*\r\n.*\n$/) });
    expect(await shell.run(['licenses', 'export', '--status', 'active', '--out', 'all.csv'])).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect([await shell.read('all.csv'), await modeOf('all.csv')]).toEqual([
      expect.stringContaining('ben@example.com'),
      0o600,
    ]);
    expect(await shell.read('all.csv')).not.toContain(KEPT);
    expect(await shell.run(['licenses', 'export', '--json'])).toMatchObject({ code: 2, stdout: '' });
  });
});
