import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { newRow } from '../../common/database/index.js';
import { Sealer } from '../../common/sealing/index.js';
import { Clock } from '../../common/system/index.js';
import { Stores, type SignedAnnouncement, type StoreItem } from '../../stores/index.js';
import { TargetsRepository, TargetStatusRepository, type TargetEntity } from '../../targets/index.js';
import { isPublicUrl } from './public-url.js';
import { StoreWebhookEntity } from './store-webhook.entity.js';
import { StoreWebhooksRepository } from './store-webhooks.repository.js';

const SECRET_BYTES = 32;

/** An announcement that a store has signed. */
export interface Announcement {
  readonly targetId: string;
  readonly webhookId: string;
  readonly id: string;
}

/** Announcements of stores: hints because of which a target is checked at once. What is so, the check alone tells. */
@Injectable()
export class AnnouncementsService {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly sealer: Sealer,
    private readonly stores: Stores,
    private readonly targets: TargetsRepository,
    private readonly statuses: TargetStatusRepository,
    private readonly webhooks: StoreWebhooksRepository,
  ) {}

  /** Whether stores can reach this service. */
  get areReachable(): boolean {
    return isPublicUrl(this.config.publicUrl);
  }

  /**
   * Has the store of a target announce changes of its item here. The secret is kept before the store hears it, so that whatever it then signs
   * can be verified.
   * @throws StoreFailure
   */
  async subscribe({ id, store }: Pick<TargetEntity, 'id' | 'store'>, item: StoreItem, secrets: object): Promise<void> {
    const { row, secret } = await this.own(id);
    const to = { url: `${this.config.publicUrl}/api/v1/stores/announcements/${id}`, secret, webhookId: row.webhookId };
    const webhookId = await this.stores.for(store).announceTo(secrets, item, to);
    if (webhookId !== null && webhookId !== row.webhookId) await this.webhooks.registered(row.id, webhookId);
  }

  /** Verifies what claims to be an announcement about a target; null when its store has not signed it. */
  async verify(targetId: string, request: SignedAnnouncement): Promise<Announcement | null> {
    const row = await this.webhooks.find(targetId);
    const target = row === null ? null : await this.targets.findSettings(targetId);
    if (row === null || target === null) return null;
    const id = this.stores.for(target.store).announcementOf(request, await this.open(row));
    return id === null ? null : { targetId, webhookId: row.id, id };
  }

  /** Makes the target due, once for each announcement. */
  async receive({ targetId, webhookId, id }: Announcement): Promise<void> {
    const now = this.clock.now();
    if (await this.webhooks.receive(webhookId, id, now)) await this.statuses.makeDue(targetId, now);
  }

  private async own(targetId: string): Promise<{ readonly row: StoreWebhookEntity; readonly secret: string }> {
    const known = await this.webhooks.find(targetId);
    if (known !== null) return { row: known, secret: await this.open(known) };
    const fresh = newRow(this.clock.now());
    const sealed = await this.sealer.seal(randomBytes(SECRET_BYTES).toString('hex'), purposeOf(fresh.id));
    await this.webhooks.insert(Object.assign(new StoreWebhookEntity(), fresh, { targetId, sealed }));
    return this.own(targetId);
  }

  private async open(row: StoreWebhookEntity): Promise<string> {
    const secret = (await this.sealer.unseal(row.sealed, purposeOf(row.id))) as string;
    if (this.sealer.isOutdated(row.sealed))
      await this.webhooks.reseal(row, await this.sealer.seal(secret, purposeOf(row.id)));
    return secret;
  }
}

const purposeOf = (id: string): string => `store_webhook:${id}`;
