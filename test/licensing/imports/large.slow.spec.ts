import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Receiver } from '../../notifications/receiver.js';
import { Machine } from '../../process/machine.js';
import { expectStatus, Given, type Tenant } from '../../support/given.js';
import type { Ended } from '../../support/process.js';
import { p99, Watch } from './watch.js';

/** `IMPORT_LINES=100000 npm test -- imports/large.slow` takes twice as long. */
const LINES = Number(process.env['IMPORT_LINES'] ?? 50_000);
/** Each tenth buyer has no code, and gets a new one. */
const CODELESS = 10;
/** How many lines were read, and how many were imported, when the process is killed. */
const KILLED_READING = LINES / 5;
const KILLED_IMPORTING = [LINES / 10, LINES / 3];
const LISTENED_LINES = 1000;
const LOOK_MS = 100;
const MINUTE_MS = 60_000;
const SAMPLE = 1009;
/** What garbage collection may leave lying about; the file is 12 MB, and what its lines become more than 100, for 100,000 of them. */
const MAX_GROWTH_MB = 80;
const MAX_MB = 700;
/** For a cheap request on a machine that has several times as much to do as it can. */
const MAX_WAIT_MS = 1000;
const MARK = '@somewhere.example.com';

/** What a line says. */
interface Buyer {
  readonly email: string;
  readonly code: string | null;
  readonly order: string;
}

const buyersOf = (count: number, shop: string): readonly Buyer[] =>
  Array.from({ length: count }, (_, at) => ({
    email: `${shop}.${at}${MARK}`,
    code: at % CODELESS === 0 ? null : randomUUID(),
    order: `${shop}-${1_000_000 + at}`,
  }));

/** The same without the orders of those who have a code. */
const withFewOrders = (buyers: readonly Buyer[]): readonly Buyer[] =>
  buyers.map((buyer) => (buyer.code === null ? buyer : { ...buyer, order: '' }));

/** Reads a file of Lemon Squeezy's as it comes off a disk. */
async function* fileOf(buyers: readonly Buyer[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from('LICENSE KEY;ORDER ID;PRODUCT NAME;VARIANT NAME;USER EMAIL;STATUS;ACTIVATION LIMIT;EXPIRES AT\r\n');
  for (let at = 0; at < buyers.length; at += 1000) {
    const lines = buyers
      .slice(at, at + 1000)
      .map(({ email, code, order }) => `${code ?? ''};${order};Tab Counter;Pro;${email};Active;5;\r\n`);
    yield Buffer.from(lines.join(''));
  }
}

const cellsIn = (csv: string): readonly (readonly string[])[] =>
  csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
const codesIn = (text: string): readonly string[] =>
  text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-Z]{5}(?:-[0-9A-Z]{5}){4}/g) ?? [];

describe('an import of tens of thousands of lines whose process is killed again and again', () => {
  const buyers = buyersOf(LINES, 'LS');
  const watches: Watch[] = [];
  const killed: Promise<Ended>[] = [];
  let receiver: Receiver;
  let machine: Machine;
  let tenant: Tenant;
  let extensionId: string;
  let id: string;
  let made: ReadonlyMap<string, string>;

  const api = () => machine.world.api.as(tenant);
  const read = async (path: string) => expectStatus(await api().get(path), 200);
  const watched = async <T>(work: () => Promise<T>): Promise<T> => {
    const asked = api();
    const watch = new Watch(machine.service, async () => expectStatus(await asked.get('/plans'), 200));
    watches.push(watch);
    const result = await work();
    await watch.stop();
    return result;
  };
  const send = async (lines: readonly Buyer[]): Promise<string> => {
    const raw = ReadableStream.from(fileOf(lines));
    const sent = { raw, headers: { 'content-type': 'text/csv' } };
    return expectStatus(await api().post(`/license-imports?extension=${extensionId}`, undefined, sent), 201).body.id;
  };
  const until = async (which: string, isReached: (now: { state: string; done: number }) => boolean): Promise<void> => {
    for (;;) {
      const { body } = await read(`/license-imports/${which}`);
      if (isReached(body)) return;
      if (['failed', 'canceled'].includes(body.state)) throw new Error(`The import was ${body.state}`);
      await pause(LOOK_MS);
    }
  };
  const start = async (which: string): Promise<void> => {
    await until(which, ({ state }) => state === 'ready');
    expectStatus(await api().post(`/license-imports/${which}/start`, {}), 200);
  };
  const die = async (): Promise<void> => {
    killed.push(machine.service.ended);
    await machine.restart();
  };
  const activate = async (code: string) =>
    expectStatus(await api().post('/licensing/activate', { code, extensionId, fingerprint: randomUUID() }), 200).body;

  beforeAll(async () => {
    receiver = await Receiver.start();
    machine = await Machine.start();
    const given = new Given(machine.world.api, machine.world.control);
    tenant = await given.tenant();
    extensionId = await given.extension(tenant, 'Tab Counter');
    expectStatus(await api().post('/plans', { extensionId, tier: 'pro' }), 201);
    id = await watched(() => send(buyers));
    await until(id, ({ done }) => done >= KILLED_READING);
    await die();
    await watched(() => start(id));
    for (const lines of KILLED_IMPORTING) {
      await until(id, ({ state, done }) => state === 'running' && done >= lines);
      await die();
    }
    await watched(() => until(id, ({ state }) => state === 'done'));
    const rows = cellsIn((await read(`/license-imports/${id}/codes`)).text).slice(1);
    made = new Map(rows.map(([email = '', code = '']) => [email, code]));
  }, 12 * MINUTE_MS);
  afterAll(async () => {
    await machine.close();
    await receiver.close();
  });

  it(
    'makes each license once, and a code for each buyer who had none',
    async () => {
      const { body } = await read(`/license-imports/${id}`);
      expect(body).toMatchObject({ created: LINES, existing: 0, faults: 0, skipped: 0, codes: LINES / CODELESS });
      const [head = [], ...rows] = cellsIn((await read('/licenses/export')).text);
      const column = (name: string): readonly string[] => rows.map((row) => row[head.indexOf(name)] ?? '');
      expect(rows).toHaveLength(LINES);
      expect(new Set(column('id')).size).toBe(LINES);
      expect(new Set(column('buyerEmail'))).toEqual(new Set(buyers.map(({ email }) => email.toLowerCase())));
      expect(new Set(column('source'))).toEqual(new Set(buyers.map(({ order }) => `import:${order}`)));
      // No mail is sent for any of them.
      expect(new Set(column('delivery'))).toEqual(new Set(['']));
      expect(made.size).toBe(LINES / CODELESS);
    },
    MINUTE_MS,
  );

  it(
    'lets buyers use the codes that they had, and those that they got',
    async () => {
      for (let at = 0; at < LINES; at += SAMPLE) {
        const { email, code } = buyers[at] ?? { email: '', code: '' };
        expect(await activate(code ?? made.get(email.toLowerCase()) ?? '')).toMatchObject({
          success: true,
          tier: 'pro',
        });
      }
      expect(await activate(randomUUID())).toMatchObject({ success: false });
    },
    MINUTE_MS,
  );

  it(
    'is told once in the timeline, and each license once in the audit log',
    async () => {
      const { items } = (await read(`/extensions/${extensionId}/events?kind=license_imported`)).body;
      expect(items).toMatchObject([{ message: `${LINES} licenses were imported.` }]);
      const { text } = await read('/audit/export');
      const subjects = text.match(/(?<="license\.imported","subject":\{"type":"license","id":")[^"]+/g) ?? [];
      expect([subjects.length, new Set(subjects).size]).toEqual([LINES, LINES]);
      expect(text.match(/(?<="action":")license_import\.\w+/g)?.toSorted()).toEqual([
        'license_import.codes_read',
        'license_import.started',
        'license_import.uploaded',
      ]);
      const secret = new Set([...buyers.flatMap(({ code }) => code ?? []), ...made.values()]);
      for (const said of [text, ...(await Promise.all(killed)).map(({ stdout, stderr }) => stdout + stderr)])
        expect(codesIn(said).filter((one) => secret.has(one))).toEqual([]);
    },
    MINUTE_MS,
  );

  it('takes no more memory for many lines than for few, and keeps nobody waiting', () => {
    const all = watches.flatMap(({ waitsMs }) => waitsMs);
    expect(all.length).toBeGreaterThan(100);
    expect(p99(all)).toBeLessThan(MAX_WAIT_MS);
    expect(watches.at(-1)?.growth).toBeLessThan(MAX_GROWTH_MB);
    expect(Math.max(...watches.flatMap(({ megabytes }) => megabytes))).toBeLessThan(MAX_MB);
  });

  it(
    'tells an endpoint that listens of each license of another thousand, once',
    async () => {
      const [path, url] = ['/issued', receiver.url('/issued')];
      const wish = { kind: 'webhook', url, events: ['license.issued'] };
      expectStatus(await api().post('/notifications/endpoints', wish), 201);
      const more = withFewOrders(buyersOf(LISTENED_LINES, 'MORE'));
      const other = await send(more);
      await start(other);
      await until(other, ({ state }) => state === 'done');
      while (receiver.at(path).length < LISTENED_LINES) await receiver.next(path);
      const told = receiver.at(path);
      expect(new Set(told.map((one) => one.id)).size).toBe(LISTENED_LINES);
      const licenses = told.map(({ body }) => (body.data as unknown as { license: Record<string, string> }).license);
      expect(new Set(licenses.map((one) => one['buyerEmail']))).toEqual(
        new Set(more.map(({ email }) => email.toLowerCase())),
      );
      expect(new Set(licenses.map((one) => one['reason']))).toEqual(new Set(['import']));
      const secret = new Set(more.flatMap(({ code }) => code ?? []));
      expect(told.flatMap(({ raw }) => codesIn(raw)).filter((one) => secret.has(one))).toEqual([]);
    },
    2 * MINUTE_MS,
  );
});
