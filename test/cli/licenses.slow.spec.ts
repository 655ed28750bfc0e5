import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus, type Licensed } from '../support/given.js';
import { oneOffSale } from '../support/purchases.js';
import { Seller } from '../webhooks/seller.js';
import { Shell } from './shell.js';

const CODE = /^[0-9A-Z]{5}(-[0-9A-Z]{5}){4}\n$/;

describe('licenses at the shell', () => {
  let world: World;
  let licensed: Licensed;
  let shell: Shell;
  /** The last five symbols of the code. */
  let hint: string;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    licensed = await world.given.licensed();
    hint = licensed.code.slice(-5);
    shell = await Shell.for(licensed, world.url);
  });
  afterEach(() => shell.close());

  const read = async () => expectStatus(await world.api.as(licensed).get(`/licenses/${licensed.licenseId}`), 200).body;
  const activate = async (label: string): Promise<void> => {
    const { code, extensionId } = licensed;
    const device = { code, extensionId, fingerprint: randomUUID(), deviceInfo: label };
    expectStatus(await world.api.post('/licensing/activate', device), 200);
  };

  it('are issued with a code that is printed once, and found by what a buyer has at hand', async () => {
    const issued = await shell.run([
      'licenses',
      'issue',
      'Ann@Example.com',
      '--expires',
      '2200-12-31',
      '--devices',
      '5',
    ]);
    expect(issued).toMatchObject({ code: 0, stdout: expect.stringMatching(CODE) });
    const code = issued.stdout.trim();
    expect(issued.stderr).not.toContain(code);
    const found = { items: [expect.objectContaining({ buyerEmail: 'ann@example.com', seats: { used: 0, max: 5 } })] };
    for (const term of ['ann@example.com', code.toLowerCase(), `…${code.slice(-5)}`])
      expect(await shell.json(['licenses', 'find', term])).toEqual(found);
    expect(await shell.run(['licenses', 'find', '--status', 'active'])).toMatchObject({
      stdout: expect.stringMatching(
        new RegExp(
          `^ {2}…${code.slice(-5)} .* ● active +0 of 5 devices +expires 31 Dec 2200 +ann@example.com\n {2}…${hint} `,
        ),
      ),
    });
    const listed = async (...args: readonly string[]) => shell.run(['licenses', 'list', ...args]);
    expect(await listed('--limit', '1')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^ {2}CODE +PLAN .*\\n {2}…${code.slice(-5)} .*\\n$`)),
      stderr: 'The newest 1 of 2. List more with --limit, or all with --all.\n',
    });
    expect(await listed('--all')).toMatchObject({ stdout: expect.stringContaining(hint), stderr: '' });
    expect(await shell.json(['licenses', 'list', '--buyer', 'ann@example.com', '--mode', 'live'])).toEqual({
      ...found,
      hasMore: false,
      total: { count: 1, isMore: false },
    });
    for (const filter of [
      ['--mode', 'test'],
      ['--order', 'in_none'],
      ['--status', 'revoked'],
      ['--campaign', 'none'],
    ])
      expect(await listed(...filter)).toMatchObject({ stdout: 'There is no such license.\n' });
    expect(await listed('--limit', '0')).toMatchObject({ code: 2, stdout: '' });
    const shown = await shell.run(['licenses', 'show', 'ann@example.com']);
    expect(shown.stdout).toContain('issued by hand');
    expect(shown.stdout).not.toContain(code);
    expect(await shell.run(['licenses', 'find', 'nobody@example.com'])).toMatchObject({
      stdout: 'No license was found.\n',
    });
    expect(await shell.run(['licenses', 'show', 'nobody@example.com'])).toMatchObject({ code: 1, stdout: '' });
  });

  it('are found by their purchase', async () => {
    const seller = await Seller.in(world, 'stripe');
    const sale = seller.sale();
    await seller.sendAll(oneOffSale('stripe', sale));
    const [{ source }] = await seller.licenses();
    const env = { PIERHEAD_TOKEN: seller.tenant.token };
    for (const term of [source, source.split(':').at(-1)])
      expect(await shell.json(['licenses', 'find', term], { env })).toMatchObject({ items: [{ source }] });
    const begin = (sale.email ?? '').slice(0, -3);
    expect((await shell.run(['licenses', 'find', begin], { env })).stdout).toContain(sale.email);
    const revoked = await shell.run(['licenses', 'revoke', begin, '--yes'], { env });
    expect(revoked).toMatchObject({ code: 2, stderr: expect.stringContaining('names no license in full') });
    expect(await shell.run(['licenses', 'find', sale.email ?? ''], { env })).toMatchObject({
      stdout: expect.stringContaining('paid for good (Stripe)'),
    });
  });

  it('are suspended, reinstated, and revoked only after confirmation', async () => {
    expect(await shell.run(['licenses', 'suspend', hint])).toMatchObject({ code: 0, stderr: '' });
    expect((await read()).status).toBe('suspended');
    expect(await shell.json(['licenses', 'reinstate', licensed.licenseId])).toMatchObject({ status: 'active' });
    expect(await shell.run(['licenses', 'revoke', hint])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/for good\. No device uses it\.\n.*cannot ask without a terminal\.\n.*--yes/),
    });
    expect((await read()).status).toBe('active');
    expect(await shell.run(['licenses', 'revoke', hint, '--yes'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`…${hint} of `),
    });
    expect((await read()).status).toBe('revoked');
    expect(await shell.run(['licenses', 'suspend', hint])).toMatchObject({ code: 1, stdout: '' });
  });

  it('get a new code, which is printed or mailed', async () => {
    const { code, stdout, stderr } = await shell.run(['licenses', 'rotate', licensed.code]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(CODE)]);
    expect(stderr).not.toContain(stdout.trim());
    const { codeHint, buyerEmail } = await read();
    expect(stdout.trim().endsWith(codeHint)).toBe(true);
    const mailed = await shell.run(['licenses', 'rotate', buyerEmail, '--mail']);
    expect(mailed).toMatchObject({ code: 0, stdout: expect.stringContaining(`replaces …${codeHint}`) });
    expect(mailed.stdout).not.toMatch(/[0-9A-Z]{5}-[0-9A-Z]{5}/);
    expect((await read()).delivery).toBe('waiting');
    expect(shell.said).not.toContain(licensed.code);
  });

  it('lose a device that is named', async () => {
    await activate('Laptop');
    await activate('Phone');
    expect(await shell.run(['licenses', 'free-seat', hint])).toMatchObject({ code: 2 });
    expect(await shell.run(['licenses', 'free-seat', hint, 'laptop'])).toMatchObject({
      code: 0,
      stdout: 'Freed Laptop: 1 of 3 in use.\n',
    });
    expect((await read()).devices).toMatchObject([{ label: 'Phone' }]);
    expect(await shell.json(['licenses', 'free-seat', hint])).toMatchObject({
      seats: { used: 0 },
      device: { label: 'Phone' },
    });
  });

  it('are shared with people who are invited, join by a link, or are removed', async () => {
    const members = (...more: readonly string[]) => shell.run(['licenses', 'members', hint, ...more]);
    expect(await shell.run(['licenses', 'update', hint, '--members', '2'])).toMatchObject({ code: 0 });
    const invited = await members('--add', 'ann@team.example', 'ben@team.example');
    expect(invited).toMatchObject({ code: 0, stdout: expect.stringMatching(/ben@team\.example .* invited/) });
    const linked = await members('--link');
    const [, url = ''] = /can join: (\S+)\n$/.exec(linked.stdout) ?? [];
    expect((await fetch(world.url + url.slice(new URL(url).origin.length))).status).toBe(200);
    expect(await members('--remove', 'Ann@team.example')).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining('ann@team.example'),
    });
    expect((await read()).team).toMatchObject({ members: 1, maxMembers: 2 });
  });

  it('are refused without the permission', async () => {
    const token = await world.given.token(licensed, ['licenses:read']);
    const { code, stderr } = await shell.run(['licenses', 'suspend', hint], { env: { PIERHEAD_TOKEN: token } });
    expect([code, stderr]).toEqual([4, expect.stringContaining('licenses:write')]);
    expect(await shell.run(['licenses', 'find', 'Ann Lee'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"Ann Lee"'),
    });
  });
});
