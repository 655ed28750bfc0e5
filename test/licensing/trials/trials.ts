import { randomUUID } from 'node:crypto';
import type { Trial } from '../../../src/licensing/trials/trials.dto.js';
import type { Answer } from '../../support/api.js';
import type { World } from '../../support/app.js';
import { expectStatus, type Tenant } from '../../support/given.js';

/** A trial as its seller sees it. */
type ShownTrial = Readonly<Record<keyof Trial, string | null>>;

/** An extension with a plan that offers a trial. */
export class TrialOffer {
  private constructor(
    private readonly world: World,
    readonly tenant: Tenant,
    readonly extensionId: string,
    readonly planId: string,
  ) {}

  static async open(world: World, plan: object = {}, tenant?: Tenant): Promise<TrialOffer> {
    const owner = tenant ?? (await world.given.tenant());
    const extensionId = await world.given.extension(owner);
    const offered = { extensionId, tier: 'pro', entitlements: ['sync'], trialDays: 14, ...plan };
    const { id } = expectStatus(await world.api.as(owner).post('/plans', offered), 201).body;
    return new TrialOffer(world, owner, extensionId, id);
  }

  /** Asks for the trial of a device. */
  ask(fingerprint: string, more: object = {}): Promise<Answer> {
    return this.world.api.post('/licensing/trial', { extensionId: this.extensionId, fingerprint, ...more });
  }

  /** A device whose trial runs. */
  async tried(more: object = {}): Promise<string> {
    const fingerprint = randomUUID();
    const { body } = expectStatus(await this.ask(fingerprint, more), 200);
    if (body.reason !== 'trial_active') throw new Error(`No trial: ${body.reason}`);
    return fingerprint;
  }

  /** Sends a request of the tenant. */
  mine(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.world.api.as(this.tenant).call(method, path, body);
  }

  async trials(query = ''): Promise<readonly ShownTrial[]> {
    return expectStatus(await this.mine('GET', `/trials?extension=${this.extensionId}${query}`), 200).body.items;
  }

  async summary(): Promise<object> {
    return expectStatus(await this.mine('GET', `/trials/summary?extension=${this.extensionId}`), 200).body;
  }

  /** Issues a license of the plan and activates it on a device. */
  async bought(
    fingerprint: string,
  ): Promise<{ readonly licenseId: string; readonly code: string; readonly answer: Answer }> {
    const wanted = { planId: this.planId, buyerEmail: `${randomUUID()}@buyer.example` };
    const { id, code } = expectStatus(await this.mine('POST', '/licenses', wanted), 201).body;
    const { extensionId } = this;
    const answer = expectStatus(
      await this.world.api.post('/licensing/activate', { code, extensionId, fingerprint }),
      200,
    );
    return { licenseId: id, code, answer };
  }
}
