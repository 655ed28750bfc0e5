import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/api.js';
import { DataSource, MailDeliveryWorker, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { partOf, type SmtpServer } from '../support/smtp-server.js';
import { codeIn } from './delivery/codes.js';
import { Shop } from './shop.js';

interface Member {
  readonly id: string;
  readonly email: string;
}

/** Someone who has joined, and their device. */
interface Joined {
  readonly email: string;
  readonly code: string;
  readonly device: string;
}

/** The people on a license of a plan for teams. */
export class Team {
  readonly joined: Joined[] = [];

  private constructor(
    private readonly world: World,
    private readonly smtp: SmtpServer,
    readonly shop: Shop,
  ) {}

  static async open(
    world: World,
    smtp: SmtpServer,
    {
      maxActivations = 6,
      maxMembers = 3,
      seatsPerMember = null as number | null,
    }: { maxActivations?: number; maxMembers?: number; seatsPerMember?: number | null } = {},
  ): Promise<Team> {
    const shop = await Shop.open(world, { maxActivations });
    const { planId } = shop.license;
    expectStatus(await shop.mine('PATCH', `/plans/${planId}`, { maxMembers, seatsPerMember }), 200);
    return new Team(world, smtp, shop);
  }

  get path(): string {
    return `/licenses/${this.shop.licenseId}/members`;
  }

  invite(email = `${randomUUID()}@member.example`): Promise<Answer> {
    return this.shop.mine('POST', this.path, { email });
  }

  remove(id: string): Promise<Answer> {
    return this.shop.mine('DELETE', `${this.path}/${id}`);
  }

  change(change: object): Promise<Answer> {
    return this.shop.mine('PATCH', `/licenses/${this.shop.licenseId}`, change);
  }

  async members(): Promise<readonly Member[]> {
    return expectStatus(await this.shop.mine('GET', this.path), 200).body.items;
  }

  async license() {
    return expectStatus(await this.shop.mine('GET', `/licenses/${this.shop.licenseId}`), 200).body;
  }

  /** The latest mail to an address, and its code. */
  async mailed(email: string): Promise<{ readonly text: string; readonly code: string }> {
    await this.world.app.get(MailDeliveryWorker).tick();
    const mail = this.smtp.to(email).at(-1);
    const text = mail === undefined ? '' : partOf(mail, 'text/plain');
    return { text, code: codeIn(text) };
  }

  /** A new member with a device. @returns the activation, with who it is */
  async join(): Promise<Answer> {
    const email = `${randomUUID()}@member.example`;
    expectStatus(await this.invite(email), 201);
    const { code } = await this.mailed(email);
    const device = randomUUID();
    const answer = await this.shop.activate(device, { code, deviceInfo: `A laptop of ${email}` });
    if (answer.body.success) this.joined.push({ email, code, device });
    return { ...answer, body: { ...answer.body, email, code, device } };
  }

  /** Why seats were freed, as it was told. */
  async freedFor(): Promise<readonly (string | null)[]> {
    const rows: readonly { readonly reason: string | null }[] = await this.world.app
      .get(DataSource)
      .query(`select license ->> 'reason' as reason from notification where license_id = $1 order by id`, [
        this.shop.licenseId,
      ]);
    return rows.map(({ reason }) => reason);
  }
}
