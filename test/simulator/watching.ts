import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import type { World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { SECRETS } from '../support/payment-signers.js';
import type { Cast } from './acts.js';
import { lookForBrokenRows } from './laws.js';
import { CODE } from './mailing.js';
import type { Stage } from './stage.js';
import type { Team } from './team.js';

const DAY = 86_400_000;
const HOST = '127.0.0.1:7002';
/** How long work that is due may wait, while everything goes wrong. */
const OVERDUE_DAYS = 5;

const OVERDUE = `
  select 'a target' as what from target_status where next_check_at < $1
  union all select 'a webhook' from notification_delivery where next_try_at < $1
  union all select 'a mail' from mail where next_try_at < $1
  union all select 'a payment' from inbox_item where status = 'received' and created_at < $1`;

const ENTRIES = 'select e::text as row from audit_entry e';
const AUDITED = 'select action, count(*)::int as times from audit_entry group by action';

interface Notified {
  readonly id: string;
  readonly kind: string;
}

/** A version that was told to be live, and again before anything else was told of its target. */
const TOLD_AGAIN = `
  select version, target_id as place from (
    select *, lag(kind) over told as former, lag(version) over told as former_version
      from notification where target_id is not null window told as (partition by target_id order by id)) as each
   where kind = 'live' and former = 'live' and version = former_version`;
/** So often may a webhook be told that was taken: its answer may be lost, or the replica die that hears it. */
const MOST_TAKEN = 4;

/** In the address of each buyer. */
const BUYERS = '@buyer.example';

/** Receives a tenant's webhooks, reads the log, and looks into the database. */
export class Watching {
  /** How often each webhook arrived and was not refused, by its id. */
  private readonly taken = new Map<string, number>();

  /** What the webhooks were that nobody has looked at yet. */
  private readonly bodies: string[] = [];

  /** As they stand in JSON. */
  private readonly secrets: readonly string[];

  private constructor(
    private readonly cast: Cast,
    private readonly stage: Stage,
    private readonly team: Team,
    secrets: readonly string[],
  ) {
    this.secrets = secrets.map((secret) => JSON.stringify(secret).slice(1, -1));
  }

  static async begin(
    cast: Cast,
    world: World,
    stage: Stage,
    tenant: Tenant,
    team: Team,
    secrets: readonly string[],
  ): Promise<Watching> {
    const own = [tenant.token, tenant.password, tenant.cookie, ...Object.values(SECRETS)];
    const watching = new Watching(cast, stage, team, [...secrets, ...own]);
    stage.network.serve(HOST, watching.receiver(), cast.kernel.party('receiver'));
    const endpoint = { kind: 'webhook', url: `http://${HOST}/hook` };
    expectStatus(await world.api.as(tenant).post('/notifications/endpoints', endpoint), 201);
    return watching;
  }

  live(): void {
    this.cast.acts('watcher', 3 * DAY, () => this.look());
    this.cast.acts('watcher of rows', DAY / 8, () => lookForBrokenRows((sql) => this.stage.database.look(sql)));
  }

  async settle(): Promise<void> {
    await this.cast.kernel.pause(DAY, 'the last webhooks');
    await this.look();
    const notifications = await this.stage.database.look<Notified>('select id, kind from notification');
    for (const { id, kind } of notifications ?? [])
      this.cast.judge('every webhook arrives', this.taken.has(id), `One about ${kind} never did`);
    const [again] =
      (await this.stage.database.look<{ readonly version: string; readonly place: string }>(TOLD_AGAIN)) ?? [];
    const how = `That ${again?.version} is live at ${again?.place} was told again`;
    const isLiveTold = notifications?.some(({ kind }) => kind === 'live') === true;
    this.cast.judge('a version is told to be live once', again === undefined, how, isLiveTold);
    await this.isAudited();
  }

  /** Whatever was acknowledged stands in the audit log. */
  private async isAudited(): Promise<void> {
    const rows = (await this.stage.database.look<{ readonly action: string; readonly times: number }>(AUDITED)) ?? [];
    const entries = new Map(rows.map(({ action, times }) => [action, times]));
    for (const [action, times] of this.team.changes)
      this.cast.judge(
        'what was acknowledged stands in the audit log',
        (entries.get(action) ?? 0) >= times,
        `It has ${entries.get(action) ?? 0} entries of ${times} times ${action}`,
      );
  }

  private async isAuditLogPublic(): Promise<void> {
    for (const { row } of (await this.stage.database.look<{ readonly row: string }>(ENTRIES)) ?? [])
      this.isPublic('the audit log', row);
  }

  private async look(): Promise<void> {
    await lookForBrokenRows((sql) => this.stage.database.look(sql));
    const { nowMs, startMs } = this.cast.kernel;
    const before = new Date(nowMs - OVERDUE_DAYS * DAY);
    const overdue = await this.stage.database.look<{ readonly what: string }>(OVERDUE, [before]);
    const how = `${overdue?.[0]?.what} has been due for ${OVERDUE_DAYS} days`;
    const canBeOverdue = overdue !== null && before.getTime() > startMs;
    this.cast.judge('nothing that is due waits for days', (overdue ?? []).length === 0, how, canBeOverdue);
    for (const line of this.stage.log.splice(0)) this.isPublic('the log', line);
    await this.isAuditLogPublic();
    for (const body of this.bodies.splice(0)) this.isPublic('a webhook', body);
    const most = Math.max(0, ...this.taken.values());
    const sent = `One was sent ${most} times`;
    this.cast.judge('a webhook that was taken is not sent again', most <= MOST_TAKEN, sent, most > 0);
  }

  /** What others read has neither a secret nor a license code nor the address of a buyer. */
  private isPublic(where: string, text: string): void {
    const found = [
      ...(this.secrets.some((secret) => text.includes(secret)) ? ['A secret'] : []),
      ...(CODE.test(text) ? ['A license code'] : []),
      ...(text.includes(BUYERS) ? ['The address of a buyer'] : []),
    ];
    const how = `${found.join(' and ')} is in ${where}: ${text.slice(0, 300)}`;
    this.cast.judge('what others read has no secret', found.length === 0, how);
  }

  private receiver(): Server {
    return createServer((request, response) => {
      void text(request).then((body) => {
        this.bodies.push(body);
        const id = String(request.headers['webhook-id']);
        const isRefused = this.cast.kernel.current.random.chance(0.1);
        if (!isRefused) this.taken.set(id, (this.taken.get(id) ?? 0) + 1);
        response.writeHead(isRefused ? 500 : 204).end();
      });
    });
  }
}
