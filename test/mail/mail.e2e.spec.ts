import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MailOutcome } from '../../src/platform/mail/index.js';
import {
  startWorld,
  type World,
  Transactions,
  composeMail,
  OutboxService,
  MailDeliveryWorker,
} from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { headerOf, partOf, SmtpServer } from '../support/smtp-server.js';
import { until } from '../artifacts/blob-files.js';

const PURPOSE = 'spec';

/** An owner of mails that records their outcomes. */
class Sender {
  readonly outcomes: MailOutcome[] = [];
  readonly aboutId = randomUUID();
  readonly to = `buyer-${randomUUID()}@example.com`;
  readonly code = `MARKED-${randomUUID()}`;

  constructor(private readonly world: World) {
    world.app.get(OutboxService).attempted.add(async (outcomes) => {
      this.outcomes.push(...outcomes.filter((one) => one.purpose === PURPOSE && one.aboutId === this.aboutId));
    });
  }

  async write(extra: { readonly expiresAt?: Date; readonly tenantId?: string } = {}): Promise<string> {
    const { aboutId, to, code } = this;
    const mail = composeMail('Your code for Night Owl', ['Grüße & thanks.', { copy: code }], 'because you bought it');
    return this.world.app.get(OutboxService).add({ purpose: PURPOSE, aboutId, to, ...mail, ...extra });
  }

  get states(): readonly string[] {
    return this.outcomes.map(({ state }) => state);
  }
}

const tick = (world: World): Promise<void> => world.app.get(MailDeliveryWorker).tick();
const query = <Row>(world: World, sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> =>
  world.app.get(Transactions).query<Row>(sql, parameters);
const sealedOf = async (world: World, { aboutId }: Sender): Promise<readonly (string | null)[]> =>
  (await query<{ sealed: string | null }>(world, 'select sealed from mail where about_id = $1', [aboutId])).map(
    ({ sealed }) => sealed,
  );

describe('a mail', () => {
  let smtp: SmtpServer;
  let world: World;
  let sender: Sender;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  beforeEach(() => {
    sender = new Sender(world);
  });
  afterEach(() => smtp.obey());
  afterAll(() => world.close());

  it('is handed over once, in text and HTML, and its content is then deleted', async () => {
    const id = await sender.write();
    await tick(world);
    await tick(world);
    const [mail, ...more] = smtp.to(sender.to);
    if (mail === undefined) throw new Error('No mail came');
    expect(more).toEqual([]);
    expect(mail.from).toBe('pierhead@service.example');
    expect(mail.to).toEqual([sender.to]);
    expect(headerOf(mail, 'From')).toBe('Pierhead <pierhead@service.example>');
    expect(headerOf(mail, 'To')).toBe(sender.to);
    expect(headerOf(mail, 'Subject')).toBe('Your code for Night Owl');
    expect(headerOf(mail, 'Message-ID')).toBe(`<${id}@127.0.0.1>`);
    expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated');
    expect(partOf(mail, 'text/plain')).toBe(
      `Grüße & thanks.\n\n    ${sender.code}\n\n-- \nPierhead sends this mail because you bought it.\n`,
    );
    expect(partOf(mail, 'text/html')).toContain('>Grüße &amp; thanks.</p>');
    expect(sender.outcomes).toEqual([
      {
        mailId: id,
        purpose: PURPOSE,
        aboutId: sender.aboutId,
        state: 'sent',
        attempts: 1,
        status: null,
        error: null,
        at: world.clock.now(),
      },
    ]);
    expect(await sealedOf(world, sender)).toEqual([null]);
  });

  it('is sealed while it waits: neither its address nor its code is readable in the database', async () => {
    await sender.write();
    const rows = await query<object>(world, 'select * from mail where about_id = $1', [sender.aboutId]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/MARKED|example\.com|Night Owl/);
    await tick(world);
  });

  it('is not sent when its transaction is rolled back', async () => {
    const failing = world.app.get(Transactions).run(async () => {
      await sender.write();
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await tick(world);
    expect(smtp.to(sender.to)).toEqual([]);
  });

  it('that is refused temporarily is retried at growing intervals until it is sent', async () => {
    smtp.refuse('RCPT TO', '451 4.7.1 greylisted, try later', 3);
    await sender.write();
    for (const wait of [0, 2 * MINUTE, 6 * MINUTE, 17 * MINUTE]) {
      await world.forward(wait);
      await tick(world);
      await tick(world);
    }
    expect(sender.states).toEqual(['waiting', 'waiting', 'waiting', 'sent']);
    expect(sender.outcomes[0]).toMatchObject({ attempts: 1, status: 451, error: 'EENVELOPE' });
    expect(smtp.to(sender.to)).toHaveLength(1);
  });

  it('that is refused for three days is given up, reported as undelivered, and its content deleted', async () => {
    smtp.refuse('DATA.', '554 5.7.1 relaying denied');
    await sender.write();
    await tick(world);
    for (let hours = 0; hours < 80; hours += 1) {
      await world.forward(HOUR);
      await tick(world);
    }
    expect(sender.states.slice(0, -1).every((state) => state === 'waiting')).toBe(true);
    expect(sender.states.length).toBeGreaterThan(12);
    const { state, status, at } = sender.outcomes.at(-1) ?? {};
    expect({ state, status }).toEqual({ state: 'undelivered', status: 554 });
    const since = (at?.getTime() ?? 0) - (sender.outcomes[0]?.at.getTime() ?? 0);
    expect(since).toBeGreaterThan(2.5 * DAY);
    expect(since).toBeLessThanOrEqual(3 * DAY);
    expect(await sealedOf(world, sender)).toEqual([null]);
    smtp.obey();
    await world.forward(DAY);
    await tick(world);
    expect(smtp.to(sender.to)).toEqual([]);
  });

  it('to an address that does not exist is given up immediately', async () => {
    smtp.refuse('RCPT TO', `550 5.1.1 <${sender.to}>: no such user`);
    await sender.write();
    await tick(world);
    expect(sender.outcomes).toMatchObject([{ state: 'undelivered', attempts: 1, status: 550 }]);
  });

  it('that has become useless is not sent', async () => {
    smtp.refuse('MAIL FROM', '421 4.3.2 closing');
    await sender.write({ expiresAt: new Date(world.clock.now().getTime() + 15 * MINUTE) });
    await tick(world);
    smtp.obey();
    await world.forward(16 * MINUTE);
    await tick(world);
    expect(sender.outcomes.map(({ state, error }) => `${state} ${error}`)).toEqual([
      'waiting EENVELOPE',
      'undelivered expired',
    ]);
    expect(smtp.to(sender.to)).toEqual([]);
    expect(await sealedOf(world, sender)).toEqual([null]);
  });

  it('can be withdrawn while it waits', async () => {
    await sender.write();
    await world.app.get(OutboxService).withdraw(PURPOSE, [sender.aboutId]);
    await tick(world);
    expect(smtp.to(sender.to)).toEqual([]);
    expect(await sealedOf(world, sender)).toEqual([]);
  });

  it('has log lines that name its tenant', async () => {
    const tenantId = randomUUID();
    await sender.write({ tenantId });
    await tick(world);
    const lines = world.log.filter((line) => line.includes(tenantId)).map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([{ msg: 'mail sent', purpose: PURPOSE, tenantId }]);
  });

  it('leaves no trace of its address, its subject or its body in the log', () => {
    const log = world.log.join('\n');
    for (const line of ['"msg":"mail sent"', '"state":"waiting"', '"state":"undelivered"'])
      expect(log.includes(line)).toBe(true);
    for (const secret of ['MARKED', 'buyer-', '@example.com', 'Night Owl', 'no such user', 'greylisted'])
      expect({ secret, isLogged: log.includes(secret) }).toEqual({ secret, isLogged: false });
  });

  it('is sent although the process that added it died right after the commit', async () => {
    const other = await startWorld({ with: world, env: smtp.env });
    const doomed = new Sender(other);
    await doomed.write();
    await other.close();
    await tick(world);
    expect(smtp.to(doomed.to)).toHaveLength(1);
  });

  it('is handed over once by several processes that start together', async () => {
    const other = await startWorld({ with: world, env: smtp.env });
    const senders = Array.from({ length: 12 }, () => new Sender(world));
    for (const each of senders) await each.write();
    await Promise.all([tick(world), tick(other), tick(world), tick(other)]);
    expect(senders.map(({ to }) => smtp.to(to).length)).toEqual(senders.map(() => 1));
    await other.close();
  });

  it('waits for few others while many are due: sixteen are handed over at once', async () => {
    const senders = Array.from({ length: 16 }, () => new Sender(world));
    for (const each of senders) await each.write();
    smtp.gather(senders.length);
    await tick(world);
    expect(senders.map(({ states }) => states)).toEqual(senders.map(() => ['sent']));
  });

  it('that waits with many others is handed over once, also when one of them is refused', async () => {
    const senders = Array.from({ length: 48 }, () => new Sender(world));
    for (const each of senders) await each.write();
    smtp.refuse('RCPT TO', '550 5.1.1 unknown', 1);
    await tick(world);
    const states = senders.map((each) => each.states.join());
    expect(states.toSorted()).toEqual([...states.slice(1).map(() => 'sent'), 'undelivered']);
    expect(senders.map(({ to }) => smtp.to(to).length)).toEqual(states.map((state) => (state === 'sent' ? 1 : 0)));
  });

  it('that is withdrawn while it waits behind another is not sent', async () => {
    const senders = Array.from({ length: 128 }, () => new Sender(world));
    for (const each of senders) await each.write();
    const held = smtp.hold();
    const sending = tick(world);
    await held.taken;
    let taken: readonly string[] = [];
    await until('the other workers are done', async () => {
      const rows = await query<{ id: string }>(
        world,
        'select about_id as id from mail where purpose = $1 and lease_until > now()',
        [PURPOSE],
      );
      taken = rows.map(({ id }) => id);
      return taken.length <= 8;
    });
    await world.app.get(OutboxService).withdraw(PURPOSE, taken);
    held.open();
    await sending;
    const behind = senders.filter(({ aboutId }) => taken.includes(aboutId));
    expect(behind.length).toBeGreaterThan(1);
    expect(behind.flatMap(({ to }) => smtp.to(to))).toHaveLength(1);
    const sent = senders.filter((each) => !behind.includes(each));
    expect(sent.map(({ states }) => states)).toEqual(sent.map(() => ['sent']));
  });

  it.each(['452 4.5.3 too many', '421 4.7.0 too many'])(
    'goes out on another connection when the server takes no more on one: %s',
    async (refusal) => {
      const senders = Array.from({ length: 48 }, () => new Sender(world));
      for (const each of senders) await each.write();
      smtp.limitConnections(1, refusal);
      await tick(world);
      expect(senders.map(({ to }) => smtp.to(to).length)).toEqual(senders.map(() => 1));
      expect(senders.map(({ states }) => states)).toEqual(senders.map(() => ['sent']));
    },
  );

  it('whose worker lost its lock after the server took it is sent twice under one id, and settled once', async () => {
    const other = await startWorld({ with: world, env: smtp.env });
    const listening = new Sender(other);
    // Either process may take it again: the frozen one has further workers.
    world.app.get(OutboxService).attempted.add(async (all) => {
      listening.outcomes.push(...all.filter(({ aboutId }) => aboutId === listening.aboutId));
    });
    const id = await listening.write();
    const held = smtp.hold();
    const frozen = tick(world);
    await held.taken;
    await tick(other);
    expect(smtp.to(listening.to)).toHaveLength(1);
    await query(world, 'update mail set lease_until = clock_timestamp() where id = $1', [id]);
    await tick(other);
    held.open();
    await frozen;
    await tick(other);
    await tick(world);
    const ids = smtp.to(listening.to).map((mail) => headerOf(mail, 'Message-ID'));
    expect(ids).toEqual([`<${id}@127.0.0.1>`, `<${id}@127.0.0.1>`]);
    expect(listening.states).toEqual(['sent']);
    await other.close();
  });
});

describe('without a mail server', () => {
  it('mails wait, sealed, until there is one', async () => {
    const world = await startWorld();
    const sender = new Sender(world);
    await sender.write();
    await world.forward(10 * DAY);
    await tick(world);
    expect(sender.outcomes).toEqual([]);
    expect(await sealedOf(world, sender)).toEqual([expect.stringMatching(/^ey/)]);
    const smtp = await SmtpServer.start();
    const later = await startWorld({ with: world, env: smtp.env });
    await tick(later);
    expect(smtp.to(sender.to)).toHaveLength(1);
    await later.close();
    await smtp.close();
    await world.close();
  });

  it('or with one that is down, they are retried', async () => {
    const smtp = await SmtpServer.start();
    const world = await startWorld({ env: smtp.env });
    await smtp.close();
    const sender = new Sender(world);
    await sender.write();
    await tick(world);
    expect(sender.outcomes).toMatchObject([{ state: 'waiting', status: null, attempts: 1 }]);
    await world.close();
  });
});
