import type { World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import type { Cast } from './acts.js';
import type { SimulatedDatabase } from './database.js';
import { MISTYPED, type Letter, type Post } from './post.js';
import { SERVICE_URL } from './stage.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const TEAM = 'team@author.example';
const BUYER = '@buyer.example';
/** A license code, as it is written. */
export const CODE = /\b[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){4}\b/;
/** For so long at least the service tries to hand a mail over: three days, less the last pause. */
const TRIED_MS = 2.5 * DAY;
/** The page of what somebody is to decide about, or has decided about. */
const APPROVAL = /\/approvals\/([0-9a-f-]{36})/;
const ONE_MAIL = 'one mail comes for each reason';
/** These say something for a few days only. */
const EXPIRING = ['invitation', 'notification-confirmation'];

const MAILS = `
  select id, purpose, about_id as "aboutId", state, last_status as "lastStatus", last_error as "lastError",
         extract(epoch from updated_at - created_at) * 1000 as "ageMs" from mail`;

/** Each notification since the team can receive any, and what became of it there. */
const TOLD = `
  select notification.kind, delivery.id, delivery.status from notification
    join notification_endpoint endpoint on endpoint.tenant_id = notification.tenant_id and endpoint.address = $1
    left join notification_delivery delivery on delivery.notification_id = notification.id and delivery.endpoint_id = endpoint.id
   where notification.created_at >= endpoint.confirmed_at`;

interface MailRow {
  readonly id: string;
  readonly purpose: string;
  readonly aboutId: string;
  readonly state: string;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly ageMs: number;
}

/** What a buyer's license says of the code that was mailed. */
export interface Mailed {
  readonly codeHint: string;
  readonly delivery: string | null;
  /** Whether the buyer must have a code: a license that ended before it was mailed has none. */
  readonly isOwed: boolean;
}

/** Those who get mails: the people of the team, and buyers. */
export class Mailing {
  private readonly letters = new Map<string, Letter>();
  private readonly rows = new Map<string, MailRow>();

  private constructor(
    private readonly cast: Cast,
    private readonly post: Post,
    private readonly database: SimulatedDatabase,
  ) {}

  static async begin(
    cast: Cast,
    { api }: World,
    post: Post,
    database: SimulatedDatabase,
    tenant: Tenant,
  ): Promise<Mailing> {
    const mailing = new Mailing(cast, post, database);
    expectStatus(await api.as(tenant).post('/notifications/endpoints', { kind: 'mail', address: TEAM }), 201);
    for (let link: string | undefined; link === undefined; await cast.kernel.pause(MINUTE, 'waits for the link')) {
      await mailing.look();
      link = /\/notifications\/confirm\?token=\S+/.exec(mailing.to(TEAM)[0]?.text ?? '')?.[0];
      if (link === undefined) continue;
      const { status } = await fetch(`${SERVICE_URL}${link}`, { method: 'POST' });
      cast.judge('every answer is one that was expected', status === 200, `${link} answered ${status}`);
    }
    return mailing;
  }

  live(): void {
    this.cast.acts('postmaster', 2 * DAY, () => this.look());
  }

  /** Everybody of the team was told of everything. */
  async settle(): Promise<void> {
    await this.cast.kernel.pause(DAY, 'the last mails');
    await this.look();
    const told = await this.database.look<{
      readonly kind: string;
      readonly id: string | null;
      readonly status: string;
    }>(TOLD, [TEAM]);
    const arrived = this.arrived();
    for (const { kind, id, status } of told ?? []) {
      const times = arrived.get(`${id} ${TEAM}`)?.size ?? 0;
      if (status === 'given_up' && times === 0) continue;
      const isTold = id !== null && status === 'delivered' && times === 1;
      this.cast.judge(ONE_MAIL, isTold, `A mail about ${kind} is ${status}, and came as ${times} mails`);
    }
    this.cast.kernel.say(`${this.letters.size} mails came`);
  }

  /** The codes that an address got, each of a mail of its own. */
  codesOf(email: string): readonly string[] {
    return this.to(email).flatMap(({ text }) => CODE.exec(text)?.[0] ?? []);
  }

  /** A buyer has the code of their license, and has got no more mails than there were reasons. */
  hasItsCode(email: string, { codeHint, delivery, isOwed }: Mailed, reasons: number): void {
    const codes = this.codesOf(email);
    const came = `${codes.length} codes came, and the mail is ${delivery}`;
    const isThere = codes.some((code) => code.replaceAll('-', '').endsWith(codeHint));
    this.cast.judge(ONE_MAIL, codes.length <= reasons, `${email} had ${reasons} codes coming: ${came}`);
    const wanted = email.startsWith(MISTYPED) ? ['undelivered', false] : ['sent', true];
    const isRight = delivery === null ? !isOwed : delivery === wanted[0] && isThere === wanted[1];
    this.cast.judge('a buyer has the code', isRight, `${email} and the code that ends with ${codeHint}: ${came}`);
  }

  /** Reads what came, and what the service says of it. */
  async look(): Promise<void> {
    const rows = (await this.database.look<MailRow>(MAILS)) ?? [];
    for (const letter of this.post.collect()) this.read(letter);
    for (const row of rows) {
      this.rows.set(row.id, row);
      const { id, purpose, state, lastStatus, lastError, ageMs } = row;
      const isTaken = this.letters.has(id);
      const isSent = state === 'sent';
      this.cast.judge('a mail that is marked as sent was taken', !isSent || isTaken, `A mail: ${purpose}`, isSent);
      const isOver = lastStatus === 550 || (lastError === 'expired' ? EXPIRING.includes(purpose) : ageMs >= TRIED_MS);
      const isGivenUp = state === 'undelivered';
      const how = `A mail (${purpose}) was given up: ${lastError}`;
      this.cast.judge('a mail is given up only in the end', !isGivenUp || isOver, how, isGivenUp);
    }
    for (const [about, ids] of this.arrived())
      this.cast.judge(ONE_MAIL, ids.size <= 1, `${ids.size} mails came about one thing to one person, ${about}`);
  }

  private read(letter: Letter): void {
    const { id, to, text } = letter;
    const former = this.letters.get(id);
    const isSame = former === undefined || (former.to === to && former.text === text);
    this.cast.judge('one message id has one mail', isSame, `It is that of one for ${former?.to} and one for ${to}`);
    this.letters.set(id, letter);
    const code = CODE.exec(text)?.[0];
    if (code === undefined) return;
    const others = [...this.letters.values()].filter((one) => one.to !== to && one.text.includes(code));
    const isOwn = to.endsWith(BUYER) && others.length === 0;
    this.cast.judge('a code is mailed to its buyer only', isOwn, [to, ...others.map((one) => one.to)].join());
  }

  private to(address: string): readonly Letter[] {
    return [...this.letters.values()].filter((letter) => letter.to === address);
  }

  /** The mails that came about each thing to each person; those about an account, or a setting, may come again. */
  private arrived(): ReadonlyMap<string, ReadonlySet<string>> {
    const arrived = new Map<string, Set<string>>();
    for (const { id, to, text } of this.letters.values()) {
      const { purpose = 'account', aboutId } = this.rows.get(id) ?? {};
      const thing = purpose === 'approval' ? APPROVAL.exec(text)?.[1] : aboutId;
      const about = `${thing} ${to}`;
      if (purpose !== 'account' && thing !== undefined) arrived.set(about, (arrived.get(about) ?? new Set()).add(id));
    }
    return arrived;
  }
}
