import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import type { World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { LawBroken, type Cast } from './acts.js';
import type { Stage } from './stage.js';
import type { Team } from './team.js';

const DAY = 86_400_000;
const HOST = '127.0.0.1:7002';
/** How long work that is due may wait, while everything goes wrong. */
const OVERDUE_DAYS = 5;

const OVERDUE = `
  select 'a target' as what from target_status where next_check_at < $1
  union all select 'a webhook' from notification_delivery where next_try_at < $1
  union all select 'a payment' from inbox_item where status = 'received' and created_at < $1`;

const AUDITED = 'select action, count(*)::int as times from audit_entry group by action';

interface Told {
  readonly type: string;
  readonly data: Readonly<Record<string, string | null>>;
}

interface Notified {
  readonly id: string;
  readonly kind: string;
}

interface ToldOfTarget {
  readonly live: Map<string, Set<string>>;
  readonly others: Set<string>;
}

/** Receives a tenant's webhooks, reads the log, and looks into the database. */
export class Watching {
  /** What the webhooks told of each target, and by which deliveries. */
  private readonly told = new Map<string, ToldOfTarget>();

  /** Ids of all webhooks that arrived and were not refused. */
  private readonly received = new Set<string>();

  private constructor(
    private readonly cast: Cast,
    private readonly stage: Stage,
    private readonly team: Team,
    private readonly secrets: readonly string[],
  ) {}

  static async begin(
    cast: Cast,
    world: World,
    stage: Stage,
    tenant: Tenant,
    team: Team,
    secrets: readonly string[],
  ): Promise<Watching> {
    const watching = new Watching(cast, stage, team, [...secrets, tenant.token, tenant.password, tenant.cookie]);
    stage.network.serve(HOST, watching.receiver(), cast.kernel.party('receiver'));
    const endpoint = { kind: 'webhook', url: `http://${HOST}/hook` };
    expectStatus(await world.api.as(tenant).post('/notifications/endpoints', endpoint), 201);
    return watching;
  }

  live(): void {
    this.cast.acts('watcher', 3 * DAY, () => this.look());
  }

  async settle(): Promise<void> {
    await this.cast.kernel.pause(DAY, 'the last webhooks');
    await this.look();
    const notifications = await this.stage.database.look<Notified>('select id, kind from notification');
    for (const { id, kind } of notifications ?? [])
      if (!this.received.has(id)) throw new LawBroken(`A webhook about ${kind} was never delivered`);
    await this.isAudited();
    for (const [targetId, told] of this.told)
      for (const [version, deliveries] of told.live)
        // A version that is live again after something else was told is told again.
        if (deliveries.size > 1 + told.others.size)
          throw new LawBroken(`That ${version} is live at ${targetId} was told ${deliveries.size} times`);
  }

  /** Whatever was acknowledged stands in the audit log. */
  private async isAudited(): Promise<void> {
    const rows = (await this.stage.database.look<{ readonly action: string; readonly times: number }>(AUDITED)) ?? [];
    const entries = new Map(rows.map(({ action, times }) => [action, times]));
    for (const [action, times] of this.team.changes)
      if ((entries.get(action) ?? 0) < times)
        throw new LawBroken(`The audit log has ${entries.get(action) ?? 0} entries of ${times} times ${action}`);
  }

  private async look(): Promise<void> {
    const [broken] = (await this.stage.database.look<{ readonly law: string }>('select law from sim.broken')) ?? [];
    if (broken !== undefined) throw new LawBroken(broken.law);
    const before = new Date(this.cast.kernel.nowMs - OVERDUE_DAYS * DAY);
    const [found] = (await this.stage.database.look<{ readonly what: string }>(OVERDUE, [before])) ?? [];
    if (found !== undefined) throw new LawBroken(`${found.what} has been due for ${OVERDUE_DAYS} days`);
    for (const line of this.stage.log.splice(0))
      for (const secret of this.secrets)
        if (line.includes(secret)) throw new LawBroken(`A secret is in the log: ${line.slice(0, 300)}`);
  }

  private receiver(): Server {
    return createServer((request, response) => {
      void text(request).then((body) => {
        const { type, data } = JSON.parse(body) as Told;
        const targetId = data['targetId'] ?? '';
        const told = this.told.get(targetId) ?? { live: new Map<string, Set<string>>(), others: new Set<string>() };
        this.told.set(targetId, told);
        const version = data['version'] ?? '';
        const deliveries = type === 'live' ? (told.live.get(version) ?? new Set()) : told.others;
        if (type === 'live') told.live.set(version, deliveries);
        deliveries.add(String(request.headers['webhook-id']));
        const isRefused = this.cast.kernel.current.random.chance(0.1);
        if (!isRefused) this.received.add(String(request.headers['webhook-id']));
        response.writeHead(isRefused ? 500 : 204).end();
      });
    });
  }
}
