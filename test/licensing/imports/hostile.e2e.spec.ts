import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/api.js';
import { DataSource, ImportWorker, startWorld, type World } from '../../support/app.js';
import { HOUR, SECOND } from '../../support/clock.js';
import { expectStatus, type Tenant } from '../../support/given.js';

type Raw = NonNullable<RequestInit['body']>;

const KEPT = '38b1460a-5104-4067-a91d-77b872934d51';
const OWN = `email,tier,code\nann@example.com,pro,${KEPT}\n`;
const LONG = 'Ö'.repeat(250);
const CUT = LONG.slice(0, 200);
const problem = (status: number, code: string): object => ({ status, body: { code } });
const utf16 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'utf16le'));

describe('a file to import', () => {
  let world: World;
  let tenant: Tenant;
  let extensionId: string;
  let teamId: string;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    tenant = await world.given.tenant();
    extensionId = await world.given.extension(tenant, 'Tab Counter');
    for (const tier of ['pro', 'team'])
      teamId = expectStatus(await api().post('/plans', { extensionId, tier }), 201).body.id;
  });

  const api = () => world.api.as({ token: tenant.token });
  const send = (raw: Raw): Promise<Answer> =>
    api().post(`/license-imports?extension=${extensionId}`, undefined, {
      raw,
      headers: { 'content-type': 'text/csv; charset=utf-8' },
    });
  const work = (): Promise<void> => world.app.get(ImportWorker).tick();
  const get = async (id: string) => expectStatus(await api().get(`/license-imports/${id}`), 200).body;
  const list = async () => expectStatus(await api().get('/license-imports'), 200).body.items;
  const say = (id: string, said: object): Promise<Answer> => api().post(`/license-imports/${id}/preview`, said);
  const licenses = async () => expectStatus(await api().get('/licenses'), 200).body.items;
  const checked = async (csv: string): Promise<string> => {
    const { id } = expectStatus(await send(csv), 201).body;
    await work();
    return id;
  };
  const started = async (csv: string): Promise<string> => {
    const id = await checked(csv);
    expectStatus(await api().post(`/license-imports/${id}/start`, {}), 200);
    return id;
  };
  const imported = async (csv: string): Promise<string> => {
    const id = await started(csv);
    await work();
    return id;
  };

  it.each<[string, Raw, RegExp]>([
    ['UTF-16', utf16(`\uFEFF${OWN}`), /is not UTF-8\. Save it as “CSV UTF-8”/],
    ['UTF-16 without a mark', utf16(OWN), /is not UTF-8/],
    ['a workbook', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0]), /is not UTF-8/],
    ['one line of five megabytes', `email,tier\n${'x'.repeat(5_000_000)}`, /100000 characters in line 2/],
    ['one with a column twice', `email,tier,code,code\nann@example.com,pro,${KEPT},\n`, /\\"code\\" twice/],
  ])('that is %s is refused', async (_, raw, message) => {
    const { status, text } = await send(raw);
    expect([status, text]).toEqual([400, expect.stringMatching(message)]);
    expect(await list()).toEqual([]);
  });

  it.each([
    ['lines that end as on old Macs', OWN.replaceAll('\n', '\r')],
    ['a line for spreadsheets', `sep=;\n${OWN.replaceAll(',', ';')}`],
    ['two byte order marks', `\uFEFF\uFEFF${OWN}`],
    ['empty lines first', `\r\n,,\r\n${OWN}`],
    ['columns without a name', `email,tier,code,,\nann@example.com,pro,${KEPT},,note\n`],
    ['a long name', `email,tier,code,${LONG}\nann@example.com,pro,${KEPT},x\n`],
  ])('with %s is read', async (_, csv) => {
    expect(await get(await checked(csv))).toMatchObject({ state: 'ready', lines: 1, created: 1, faults: 0 });
  });

  it('without lines makes nothing', async () => {
    expect(await get(await imported('email,tier,code'))).toMatchObject({ state: 'done', lines: 0, created: 0 });
  });

  it.each([
    ['more cells than columns', 'email,tier,order\nann@example.com,pro,1,Lee', /more cells than the file has columns/],
    [
      'an order that a spreadsheet shortened',
      'email,tier,order\nann@example.com,pro,5.104E+14',
      /^order: a spreadsheet/,
    ],
    [
      'a code that a spreadsheet shortened',
      'email,tier,code\na@b.example,pro,"1,23456789012E+15"',
      /^code: a spreadsheet/,
    ],
    [
      'data named __proto__',
      'email,tier,order,metadata\na@b.example,pro,1,"{""__proto__"":""x""}"',
      /metadata\.__proto__/,
    ],
    ['data named constructor', 'email,tier,order,metadata\na@b.example,pro,1,"{""constructor"":""x""}"', /constructor/],
    ['half a character', 'email,tier,order,metadata\na@b.example,pro,1,"{""a"":""\\ud800""}"', /broken surrogates/],
    ['a status named constructor', 'email,tier,order,status\na@b.example,pro,1,constructor', /not known/],
    ['a tier named __proto__', 'email,tier,order\na@b.example,__proto__,1', /no tier is said/],
    ['too many devices', 'email,tier,order,maxActivations\na@b.example,pro,1,1000001', /from 1 to 1000000/],
    ['a formula for an address', 'email,tier,order\n"=HYPERLINK(""http://x.example"")",pro,1', /e-mail address/],
    ['two addresses', 'email;tier;order\n"ann@example.com;ben@example.com";pro;1', /e-mail address/],
  ])('whose line has %s says so', async (_, csv, message) => {
    const id = await checked(csv);
    const { faults, firstFaults } = await get(id);
    expect([faults, firstFaults]).toEqual([1, [{ line: 2, message: expect.stringMatching(message) }]]);
    const wished = await api().post(`/license-imports/${id}/start`, { skipFaults: true });
    expectStatus(wished, 200);
    await work();
    expect(await licenses()).toEqual([]);
  });

  it.each([
    ['day', '31/12/2030', '2030-04-03T00:00:00.000Z'],
    ['month', '12/31/2030', '2030-03-04T00:00:00.000Z'],
  ])('some of whose dates begin with the %s is read so', async (first, plain, expected) => {
    const csv = `email,tier,order,Until\nann@example.com,pro,1,03/04/2030\nben@example.com,pro,2,${plain}\n`;
    const id = await checked(csv);
    expectStatus(await say(id, { columns: { Until: 'expiresAt' } }), 200);
    await work();
    expect(await get(id)).toMatchObject({ state: 'ready', created: 2, notes: [expect.stringContaining(first)] });
    expectStatus(await api().post(`/license-imports/${id}/start`, {}), 200);
    await work();
    const made = (await licenses()).map(({ expiresAt }: { readonly expiresAt: string }) => expiresAt);
    expect(made).toEqual(['2030-12-31T00:00:00.000Z', expected]);
  });

  it('whose dates tell both orders, or none, says which cannot be read', async () => {
    const line = (at: number, until: string): string => `ann@example.com,pro,${at},${until}\n`;
    const dates = ['03/04/2030', '31/12/2030', '12/31/2030'];
    const head = 'email,tier,order,expiresAt\n';
    for (const some of [dates, dates.slice(0, 1)])
      expect(await get(await checked(head + some.map((one, at) => line(at, one)).join('')))).toMatchObject({
        faults: 1,
        notes: [],
        firstFaults: [{ line: 2, message: expect.stringMatching(/may be one of two days, and no other date/) }],
      });
  });

  it('of products and statuses with endless names is read by their beginnings', async () => {
    const id = await checked(`email,product,code,status\nann@example.com,${LONG},${KEPT},${LONG}\n`);
    expect(await get(id)).toMatchObject({
      products: [{ value: CUT, tier: null }],
      statuses: [{ value: CUT, status: null }],
    });
    expectStatus(await say(id, { tiers: { [CUT]: 'pro' }, statuses: { [CUT]: 'suspended' } }), 200);
    await work();
    expect(await get(id)).toMatchObject({ created: 1, faults: 0 });
  });

  it('with a column twice cannot be read by it', async () => {
    const id = await checked(`email,tier,code,note,note\nann@example.com,pro,${KEPT},,\n`);
    expect(await say(id, { columns: { note: 'order' } })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'columns', message: expect.stringMatching(/"note" twice/) }] },
    });
  });

  it('with a code that was replaced since does not bring it back', async () => {
    await imported(OWN);
    const [{ id, codeHint }] = await licenses();
    expectStatus(await api().post(`/licenses/${id}/rotate`), 200);
    expect(await get(await imported(OWN))).toMatchObject({ created: 0, existing: 1 });
    expect(await licenses()).toMatchObject([{ id, codeHint: expect.not.stringMatching(codeHint) }]);
    const device = { code: KEPT, extensionId, fingerprint: randomUUID() };
    expect(await world.api.post('/licensing/activate', device)).toMatchObject({ body: { reason: 'code_replaced' } });
  });

  it('that Pierhead itself exported makes nothing anew', async () => {
    await imported(`email,tier,code,order\nann@example.com,pro,${KEPT},\nben@example.com,team,,LS-1\n`);
    const { text } = expectStatus(await api().get('/licenses/export'), 200);
    expect(await get(await imported(text))).toMatchObject({ profile: 'pierhead', created: 0, existing: 2, codes: 0 });
  });

  it.each(['cancel', 'delete'])('that is being sent ends with a %s of its import', async (how) => {
    const lines = (name: string): Buffer =>
      Buffer.from(Array.from({ length: 700 }, (_, at) => `${name}${at}@example.com,pro,${name}-${at}\n`).join(''));
    let goOn = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (goOn = resolve));
    async function* file(): AsyncGenerator<Uint8Array> {
      yield Buffer.concat([Buffer.from('email,tier,order\n'), lines('a')]);
      await stopped;
      yield lines('b');
    }
    const sending = send(ReadableStream.from(file()));
    let [arriving] = await list();
    while (arriving === undefined) [arriving] = await list();
    const path = `/license-imports/${arriving.id}`;
    if (how === 'cancel') expectStatus(await api().post(`${path}/cancel`), 200);
    else expectStatus(await api().delete(path), 204);
    goOn();
    expect(await sending).toMatchObject(problem(409, 'import_not_ready'));
    expect(await list()).toEqual([]);
  });

  it('that breaks off while it is sent leaves nothing', async () => {
    const breaking = new AbortController();
    async function* file(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${OWN}${'x'.repeat(5000)}\n`);
      while ((await list()).length === 0) await setImmediate();
      breaking.abort();
      await new Promise(() => undefined);
    }
    const sent = fetch(`${world.url}/api/v1/license-imports?extension=${extensionId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'text/csv' },
      body: ReadableStream.from(file()),
      duplex: 'half',
      signal: breaking.signal,
    });
    await expect(sent).rejects.toThrow('aborted');
    while ((await list()).length > 0) await setImmediate();
    expect(await licenses()).toEqual([]);
  });

  it('that comes with eleven others at once is one of five that are taken', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(OWN)));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([...Array<number>(5).fill(201), ...Array<number>(7).fill(409)]);
  });

  it('for a plan that is deleted before its start makes licenses of the others', async () => {
    const id = await started('email,tier,order\nann@example.com,team,1\nben@example.com,pro,2\n');
    expectStatus(await api().delete(`/plans/${teamId}`), 204);
    await work();
    expect(await get(id)).toMatchObject({
      state: 'done',
      created: 1,
      faults: 1,
      firstFaults: [{ line: 2, message: 'The extension has no plan for the tier team.' }],
    });
  });

  it('for an extension that is deleted goes with it', async () => {
    const id = await started(OWN);
    expectStatus(await api().delete(`/extensions/${extensionId}`), 204);
    await work();
    expect(await api().get(`/license-imports/${id}`)).toMatchObject(problem(404, 'import_not_found'));
  });

  it('that the database refuses is tried again, and nothing of it is in the log', async () => {
    const source = world.app.get(DataSource);
    const id = await started(OWN);
    await source.query(`alter table license add constraint refused check (extension_id <> '${extensionId}')`);
    const from = world.log.length;
    await work();
    expect(await get(id)).toMatchObject({ state: 'running', created: 0 });
    const said = world.log.slice(from).join('\n');
    expect(said).toContain('import interrupted');
    for (const secret of [KEPT, 'ann@example.com']) expect(said.toLowerCase()).not.toContain(secret);
    await source.query('alter table license drop constraint refused');
    await world.forward(HOUR);
    await work();
    expect(await get(id)).toMatchObject({ state: 'done', created: 1 });
  });

  it('that the database refuses once on each of three pages is tried again at once each time', async () => {
    const source = world.app.get(DataSource);
    const lines = Array.from({ length: 1001 }, (_, at) => `b${at}@example.com,pro,P-${at}`);
    const id = await started(['email,tier,order', ...lines].join('\n'));
    for (const made of [0, 500, 1000]) {
      await source.query(`alter table license add constraint refused check (source <> 'import:P-${made}')`);
      await work();
      expect(await get(id)).toMatchObject({ state: 'running', created: made });
      await source.query('alter table license drop constraint refused');
      // A second failure of the same page has it wait for ten.
      await world.forward(2 * SECOND);
    }
    await work();
    expect(await get(id)).toMatchObject({ state: 'done', created: 1001 });
  });

  it('that the database refuses for hours is given up, and told of as far as it came', async () => {
    const source = world.app.get(DataSource);
    const lines = Array.from({ length: 501 }, (_, at) => `b${at}@example.com,pro,LS-${at}`);
    const id = await started(['email,tier,order', ...lines].join('\n'));
    await source.query(`alter table license add constraint refused check (source <> 'import:LS-500')`);
    await work();
    for (let hour = 0; hour < 7; hour += 1) {
      await world.forward(HOUR);
      await work();
    }
    await source.query('alter table license drop constraint refused');
    expect(await get(id)).toMatchObject({ state: 'failed', created: 500 });
    const told = expectStatus(await api().get(`/extensions/${extensionId}/events?kind=license_imported`), 200);
    expect(told.body.items).toMatchObject([{ message: '500 licenses were imported.' }]);
    expectStatus(await api().delete(`/license-imports/${id}`), 204);
  });

  it('of many lines lets others have their turn', async () => {
    const lines = Array.from({ length: 5500 }, (_, at) => `b${at}@example.com,pro,LS-${at}`);
    const { id: short } = expectStatus(await send(OWN), 201).body;
    const long = await started(['email,tier,order', ...lines].join('\n'));
    await world.forward(SECOND);
    expectStatus(await api().post(`/license-imports/${short}/start`, {}), 200);
    await work();
    expect([await get(short), await get(long)]).toMatchObject([
      { state: 'done', created: 1 },
      { state: 'done', created: 5500 },
    ]);
    const events = await api().get(`/extensions/${extensionId}/events?kind=license_imported`);
    expect(expectStatus(events, 200).body.items.map(({ message }: { message: string }) => message)).toEqual([
      '5500 licenses were imported.',
      '1 license was imported.',
    ]);
  });

  it('that two processes import at once, from its beginning and from its end, is imported once', async () => {
    const other = await startWorld({ with: world });
    const codes = Array.from({ length: 1200 }, (_, at) => `b${at}@example.com,pro,${randomUUID()},LS-${at}`);
    const orders = codes.map((line, at) => (at % 3 === 0 ? line.replace(/[^,]+,(?=LS)/, ',') : line));
    const ids = [
      await started(['email,tier,code,order', ...orders].join('\n')),
      await started(['email,tier,code,order', ...orders.toReversed()].join('\n')),
    ];
    await Promise.all([work(), other.app.get(ImportWorker).tick()]);
    await other.close();
    while ((await get(ids[0] ?? '')).state !== 'done' || (await get(ids[1] ?? '')).state !== 'done') {
      await world.forward(HOUR);
      await work();
    }
    const ended = await Promise.all(ids.map(get));
    expect(ended.map(({ created, existing, faults }) => created + existing + faults)).toEqual([1200, 1200]);
    expect(ended.reduce((sum, { created }) => sum + created, 0)).toBe(1200);
    const sql = 'select count(*)::int as count from license where extension_id = $1';
    expect(await world.app.get(DataSource).query(sql, [extensionId])).toEqual([{ count: 1200 }]);
  });
});
