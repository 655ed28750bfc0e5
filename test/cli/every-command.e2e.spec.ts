import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram, runProgram } from '../../clients/cli/src/program.js';
import { widthOf } from '../../clients/cli/src/terminal/width.js';
import { ImportWorker, startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { authorAt, type Author } from './author.js';

/** What a command is run on. */
interface Resources extends Author {
  readonly url: string;
  readonly licenseId: string;
}

/** How a command is called, what it ends with, and what is piped into it. */
interface Call {
  readonly args: readonly string[];
  readonly code: number;
  readonly stdin?: string;
  /** Where what it prints can be no JSON. */
  readonly hasNoJson?: true;
}

const SOLD = 'email,tier,order\nben@example.com,pro,LS-1\n';

/** Every command, in an order in which each finds what it needs. */
const CALLS: Readonly<Record<string, (resources: Resources) => Call>> = {
  login: ({ url, email, password }) => ({
    args: ['login', url, '--email', email, '--password-stdin'],
    code: 0,
    stdin: password,
  }),
  whoami: () => ({ args: ['whoami'], code: 0 }),
  init: () => ({ args: ['init'], code: 2 }),
  connect: () => ({ args: ['connect', 'chrome'], code: 2 }),
  migrate: () => ({ args: ['migrate'], code: 1 }),
  diff: () => ({ args: ['diff'], code: 0 }),
  'key new': () => ({ args: ['key', 'new', `${randomUUID()}.pem`], code: 0 }),
  'key sign': () => ({ args: ['key', 'sign', '1.0.0.zip', '--key', 'pierhead.json'], code: 2 }),
  'key keep': () => ({ args: ['key', 'keep', '--key', 'pierhead.json'], code: 2 }),
  'key show': () => ({ args: ['key', 'show'], code: 1 }),
  'key delete': () => ({ args: ['key', 'delete', '--yes'], code: 1 }),
  check: () => ({ args: ['check', '1.0.0.zip', '--store', 'chrome'], code: 0 }),
  push: () => ({ args: ['push', '1.0.0.zip', '--wait', 'live', '--no-lint'], code: 0 }),
  status: () => ({ args: ['status'], code: 0 }),
  next: () => ({ args: ['next'], code: 0 }),
  watch: () => ({ args: ['watch'], code: 0 }),
  release: () => ({ args: ['release'], code: 1 }),
  override: () => ({ args: ['override'], code: 0 }),
  rejected: () => ({ args: ['rejected'], code: 0 }),
  approvals: () => ({ args: ['approvals'], code: 0 }),
  approve: () => ({ args: ['approve', '1.0.0'], code: 1 }),
  reject: () => ({ args: ['reject', '1.0.0', '--reason', 'It is late.'], code: 1 }),
  privacy: () => ({ args: ['privacy'], code: 0 }),
  resubmit: () => ({ args: ['resubmit', 'chrome'], code: 1 }),
  rollout: () => ({ args: ['rollout', 'chrome', '100'], code: 0 }),
  pause: () => ({ args: ['pause', 'chrome'], code: 0 }),
  resume: () => ({ args: ['resume', 'chrome'], code: 0 }),
  rollback: () => ({ args: ['rollback', 'chrome', '--to', '0.9.0', '--reason', 'It miscounts.'], code: 2 }),
  'check-sources': () => ({ args: ['check-sources'], code: 2 }),
  'licenses issue': () => ({ args: ['licenses', 'issue', 'ann@example.com'], code: 0 }),
  'licenses issue-many': () => ({ args: ['licenses', 'issue-many', '--count', '2', '--campaign', 'spring'], code: 0 }),
  'licenses update': ({ licenseId }) => ({ args: ['licenses', 'update', licenseId, '--devices', '4'], code: 0 }),
  'licenses extend': ({ licenseId }) => ({ args: ['licenses', 'extend', licenseId, '1y'], code: 1 }),
  'licenses members': ({ licenseId }) => ({ args: ['licenses', 'members', licenseId], code: 0 }),
  'licenses list': () => ({ args: ['licenses', 'list', '--limit', '2'], code: 0 }),
  'licenses find': () => ({ args: ['licenses', 'find', 'ann@example.com'], code: 0 }),
  'licenses show': ({ licenseId }) => ({ args: ['licenses', 'show', licenseId], code: 0 }),
  'licenses suspend': ({ licenseId }) => ({ args: ['licenses', 'suspend', licenseId], code: 0 }),
  'licenses reinstate': ({ licenseId }) => ({ args: ['licenses', 'reinstate', licenseId], code: 0 }),
  'licenses rotate': ({ licenseId }) => ({ args: ['licenses', 'rotate', licenseId], code: 0 }),
  'licenses free-seat': ({ licenseId }) => ({ args: ['licenses', 'free-seat', licenseId, 'Laptop'], code: 1 }),
  'licenses revoke': ({ licenseId }) => ({ args: ['licenses', 'revoke', licenseId], code: 2 }),
  'licenses import': () => ({ args: ['licenses', 'import'], code: 2, stdin: SOLD }),
  'licenses export': () => ({ args: ['licenses', 'export'], code: 0, hasNoJson: true }),
  'orders list': () => ({ args: ['orders'], code: 0 }),
  'orders show': () => ({ args: ['orders', 'show', 'sub_1'], code: 1 }),
  'orders assign': () => ({ args: ['orders', 'assign', 'sub_1', '--tier', 'pro'], code: 1 }),
  sales: () => ({ args: ['sales'], code: 0 }),
  'plans list': () => ({ args: ['plans', 'list'], code: 0 }),
  'plans create': () => ({ args: ['plans', 'create', 'beta'], code: 0 }),
  'plans update': () => ({ args: ['plans', 'update', 'pro', '--devices', '4'], code: 0 }),
  'plans delete': () => ({ args: ['plans', 'delete', 'beta', '--yes'], code: 0 }),
  'trials list': () => ({ args: ['trials'], code: 0 }),
  'trials extend': () => ({ args: ['trials', 'extend', 'nobody@example.com', '7d'], code: 1 }),
  'trials end': () => ({ args: ['trials', 'end', 'nobody@example.com'], code: 1 }),
  'trials delete': () => ({ args: ['trials', 'delete', 'nobody@example.com', '--yes'], code: 1 }),
  'products list': () => ({ args: ['products', 'list'], code: 0 }),
  'products add': () => ({ args: ['products', 'add', 'stripe:price_1', '--plan', 'pro'], code: 0 }),
  'products remove': () => ({ args: ['products', 'remove', 'stripe:price_2'], code: 1 }),
  'processors list': () => ({ args: ['processors', 'list'], code: 0 }),
  'processors connect': () => ({ args: ['processors', 'connect', 'stripe'], code: 2 }),
  analytics: () => ({ args: ['analytics'], code: 0 }),
  'reviews list': () => ({ args: ['reviews', '--unread'], code: 0 }),
  'reviews answer': () => ({ args: ['reviews', 'answer', randomUUID(), '--text', 'Thank you.'], code: 1 }),
  'reviews read': () => ({ args: ['reviews', 'read', '--all'], code: 0 }),
  'endpoints list': () => ({ args: ['endpoints', 'list'], code: 0 }),
  'endpoints add': () => ({ args: ['endpoints', 'add', `https://hooks.example.com/${randomUUID()}`], code: 0 }),
  'endpoints update': () => ({ args: ['endpoints', 'update', 'nobody@example.com', '--disable'], code: 1 }),
  'endpoints test': () => ({ args: ['endpoints', 'test', 'nobody@example.com'], code: 1 }),
  'endpoints rotate': () => ({ args: ['endpoints', 'rotate', 'nobody@example.com'], code: 1 }),
  'endpoints delete': () => ({ args: ['endpoints', 'delete', 'nobody@example.com'], code: 1 }),
  'tokens list': () => ({ args: ['tokens', 'list'], code: 0 }),
  'tokens create': () => ({ args: ['tokens', 'create', randomUUID(), '--scope', 'licenses:read'], code: 0 }),
  'tokens revoke': () => ({ args: ['tokens', 'revoke', 'CI'], code: 2 }),
  doctor: () => ({ args: ['doctor'], code: 0 }),
  open: () => ({ args: ['open', 'docs'], code: 0 }),
  api: () => ({ args: ['api', 'GET', '/extensions'], code: 0 }),
  completion: () => ({ args: ['completion', 'bash'], code: 0, hasNoJson: true }),
  logout: () => ({ args: ['logout'], code: 0 }),
};

/** Where a command runs. */
interface Place {
  readonly isTerminal: boolean;
  readonly columns?: number;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const ESCAPE = '\u001B';
const COLOR = new RegExp(String.raw`${ESCAPE}\[\d+m`, 'g');
/** What prints text for programs, or to be copied. */
const IS_COPIED = new Set(['api', 'completion', 'privacy', 'licenses export', 'licenses issue-many']);
/** What commands end with that ask no service, or say themselves that nobody is logged in. */
const OPEN_TO_ALL: Readonly<Record<string, number>> = {
  migrate: 1,
  check: 0,
  'key new': 0,
  'key sign': 2,
  'key keep': 2,
  'check-sources': 2,
  doctor: 1,
  completion: 0,
};

describe('every command', () => {
  let world: World;
  let working: NodeJS.Timeout;
  let resources: Resources;
  beforeAll(async () => {
    world = await startWorld();
    // An import waits for the worker, which sleeps in a test.
    working = setInterval(() => void world.app.get(ImportWorker).tick(), 100);
    const author = await authorAt(world, ['chrome']);
    const { extensionId, shell } = author;
    const api = world.api.as(author);
    const plan = expectStatus(await api.post('/plans', { extensionId, tier: 'pro' }), 201).body;
    const license = await api.post('/licenses', { planId: plan.id, buyerEmail: 'cid@example.com' });
    resources = { ...author, url: world.url, licenseId: expectStatus(license, 201).body.id };
    await shell.write('pierhead.json', JSON.stringify({ extension: author.name, package: await author.pack('1.0.0') }));
    await run(CALLS['login']?.(resources), { isTerminal: false });
    await shell.run(['push', '--no-lint'], { env: { PIERHEAD_URL: world.url, PIERHEAD_TOKEN: author.token } });
    for (const _ of ['submitted', 'live']) {
      await world.tick();
      await world.forward(600_000);
    }
  });
  afterAll(async () => {
    clearInterval(working);
    await resources.shell.close();
    await world.close();
  });

  const run = async (call: Call | undefined, { isTerminal, columns = 200, flags = [], env = {} }: Place) => {
    const { args = [], stdin = '' } = call ?? {};
    const said = { stdout: '', stderr: '' };
    const stream = (name: keyof typeof said) => ({
      isTTY: isTerminal,
      columns,
      write: (text: string | Uint8Array) => ((said[name] += String(text)), true),
    });
    const { XDG_CONFIG_HOME } = resources.shell.surroundings;
    const code = await runProgram([...args, ...flags], {
      env: { XDG_CONFIG_HOME, TERM: 'xterm', ...env },
      cwd: resources.shell.folder,
      streams: {
        stdin: Object.assign(Readable.from([stdin]), { isTTY: isTerminal }),
        stdout: stream('stdout'),
        stderr: stream('stderr'),
      },
      signal: new AbortController().signal,
      version: '1.2.3',
      fullVersion: '1.2.3',
    });
    return { code, ...said };
  };

  it('is in this table', async () => {
    const names = (await createProgram('1.2.3', [])).commands.flatMap((command) =>
      command.commands.length === 0
        ? [command.name()]
        : command.commands.map((each) => `${command.name()} ${each.name()}`),
    );
    expect(Object.keys(CALLS).toSorted()).toEqual(names.toSorted());
  });

  const called = Object.entries(CALLS);

  it.each(called)('prints nothing but JSON with --json: %s', async (name, callOf) => {
    const call = callOf(resources);
    const { code, stdout, stderr } = await run(call, { isTerminal: false, flags: ['--json'] });
    expect([code, stderr]).toEqual([call.hasNoJson ? 2 : call.code, expect.anything()]);
    if (code !== 0) expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^✗ |\n✗ /)]);
    else if (name === 'watch') for (const line of stdout.trimEnd().split('\n')) JSON.parse(line);
    else expect(JSON.parse(stdout)).toEqual(expect.any(Object));
  });

  it.each(called)('asks nobody with --no-input, and has no colors with NO_COLOR: %s', async (_name, callOf) => {
    const call = callOf(resources);
    const said = await run(call, { isTerminal: true, flags: ['--no-input'], env: { NO_COLOR: '1', CI: 'false' } });
    expect(said.code).toBe(call.code);
    expect(said.stdout + said.stderr).not.toMatch(COLOR);
    if (said.code === 2) expect(said.stderr).toMatch(/✗ .+\n {2}\S/);
  });

  it.each(called)('asks and redraws nothing in CI, and says little with --quiet: %s', async (_name, callOf) => {
    const call = callOf(resources);
    const place = { isTerminal: true, flags: ['--quiet'], env: { CI: 'true' } };
    const { code, stdout, stderr } = await run(call, place);
    expect(code).toBe(call.code);
    const plain = stderr.replaceAll(COLOR, '');
    expect(stdout.replaceAll(COLOR, '') + plain).not.toContain(ESCAPE);
    for (const line of plain.trimEnd().split('\n')) expect(line).toMatch(/^([✗⚠] | {2}|$)/);
    if (code === 0) expect(plain).not.toContain('✗');
  });

  it.each(called.filter(([name]) => !IS_COPIED.has(name)))('fits into 80 columns: %s', async (_name, callOf) => {
    const place = { isTerminal: true, columns: 80, flags: ['--no-input'], env: { NO_COLOR: '1' } };
    const { stdout, stderr } = await run(callOf(resources), place);
    const lines = stripVTControlCharacters(stdout + stderr).split('\n');
    const [wide, whole] = [(line: string) => widthOf(line) > 80, /^ *(\S+|pierhead .*)$/];
    expect(lines.filter((line) => wide(line) && !whole.test(line))).toEqual([]);
  });

  it('has colors and links in a terminal, which the tests above would find', async () => {
    await run(CALLS['login']?.(resources), { isTerminal: false });
    const { stdout } = await run({ args: ['status'], code: 0 }, { isTerminal: true, env: { TERM_PROGRAM: 'WezTerm' } });
    expect(stdout).toMatch(COLOR);
    const { url, extensionId } = resources;
    expect(stdout).toContain(`${ESCAPE}]8;;${url}/extensions/${extensionId}${ESCAPE}\\Night Owl${ESCAPE}]8;;`);
    expect(stdout).toContain(`${ESCAPE}]8;;https://chromewebstore.google.com/detail/`);
  });

  it.each(called.filter(([name]) => name !== 'login'))(
    'says to nobody how to log in, where it must: %s',
    async (name, callOf) => {
      const env = { XDG_CONFIG_HOME: join(resources.shell.folder, 'nobody') };
      const { code, stdout, stderr } = await run(callOf(resources), { isTerminal: false, env });
      const open = OPEN_TO_ALL[name];
      expect(code).toBe(open ?? 4);
      if (open === undefined)
        expect([stdout, stderr]).toEqual(['', expect.stringContaining('Log in with: pierhead login')]);
    },
  );
});
