import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { newRow, Transactions } from '../../common/database/index.js';
import { type FieldError, InvalidRequest } from '../../common/problems/index.js';
import { Sealer } from '../../common/sealing/index.js';
import { Clock, DAY_MS, HOUR_MS } from '../../common/system/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { EventsService } from '../../registry/index.js';
import { batchSource, type IssuedLicense, LicenseLifecycleService, newDelivery, termGiven } from '../licenses/index.js';
import { LicensePlansService, type LicensePlanEntity } from '../plans/index.js';
import { BatchDeliveryService } from './batch-delivery.service.js';
import { AT_ONCE, faultsOf, lateFaults, ownersOf } from './batch-wish.js';
import type { BatchLicense, IssueBatch, LicenseBatch } from './batches.dto.js';
import { BatchAlreadyIssued, IdempotencyKeyReused } from './batches.problems.js';
import type { LicenseBatchEntity } from './license-batch.entity.js';
import { KeyTaken, LicenseBatchesRepository } from './license-batches.repository.js';

/** What a repeated request is answered with: the body that it must have, and the licenses with their codes. */
interface Remembered {
  readonly body: string;
  readonly items: readonly Omit<BatchLicense, 'buyerEmail'>[];
}

const purposeOf = (id: string): string => `license-batch:${id}`;

/** Issues many licenses: all of a request or none. */
@Injectable()
export class LicenseBatchesService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly sealer: Sealer,
    private readonly plans: LicensePlansService,
    private readonly batches: LicenseBatchesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly delivery: BatchDeliveryService,
    private readonly events: EventsService,
    private readonly audit: AuditLog,
  ) {}

  /** Issues licenses, or answers as the first time when a request with the key has issued them. */
  async issue(tenantId: string, input: IssueBatch, key: string | null): Promise<LicenseBatch> {
    refuse(faultsOf(input));
    const earlier = key === null ? null : await this.batches.findByKey(tenantId, key);
    if (earlier !== null) return this.repeat(earlier, input);
    refuse(lateFaults(input, this.clock.now()));
    const plan = await this.plans.getOrThrow(tenantId, input.planId);
    if (input.delivery === 'mail') await this.delivery.countMails(tenantId, input.emails ?? []);
    try {
      return await this.tx.run(() => this.issueNew(tenantId, plan, input, key));
    } catch (error) {
      // A request with the same key was faster.
      const issued = error instanceof KeyTaken && key !== null ? await this.batches.findByKey(tenantId, key) : null;
      if (issued === null) throw error;
      return this.repeat(issued, input);
    }
  }

  /** Forgets the codes that repeated requests were answered with. */
  @Interval('license-batch-cleanup', HOUR_MS)
  async forgetAnswers(): Promise<void> {
    await this.batches.forgetAnswersBefore(new Date(this.clock.now().getTime() - DAY_MS));
  }

  private async issueNew(
    tenantId: string,
    plan: LicensePlanEntity,
    input: IssueBatch,
    idempotencyKey: string | null,
  ): Promise<LicenseBatch> {
    const now = this.clock.now();
    const { delivery, campaign = null } = input;
    const owners = ownersOf(input);
    const batch: LicenseBatchEntity = {
      ...newRow(now),
      tenantId,
      extensionId: plan.extensionId,
      planId: plan.id,
      campaign,
      delivery,
      count: owners.length,
      idempotencyKey,
      sealed: null,
    };
    // First, so that a second request with the key waits for this one.
    await this.batches.insert(batch);
    const issued = await this.issueAll(batch, plan, input, owners);
    if (delivery === 'mail') await this.delivery.mail(tenantId, plan, issued);
    const links = delivery === 'gift' ? await this.delivery.createGifts(issued, input) : [];
    const items = issued.map(({ license: { id: licenseId, buyerEmail }, code }, index) => ({
      licenseId,
      buyerEmail,
      code: delivery === 'code' ? code : null,
      giftUrl: links[index] ?? null,
    }));
    if (idempotencyKey !== null) await this.remember(batch.id, input, items);
    const message = `${owners.length} licenses were issued${campaign === null ? '' : ` for the campaign ${campaign}`}.`;
    const data = { count: owners.length, planId: plan.id };
    await this.events.append({ extensionId: plan.extensionId, kind: 'licenses_issued', message, data });
    await this.audit.record(tenantId, 'license_batch.issued', batch, { after: batch });
    return answerOf(batch, items);
  }

  private async issueAll(
    { id, tenantId }: LicenseBatchEntity,
    plan: LicensePlanEntity,
    { expiresAt, delivery, maxActivations = null, campaign, entitlements = [], metadata = {} }: IssueBatch,
    owners: readonly (string | null)[],
  ): Promise<readonly IssuedLicense[]> {
    const common = {
      tenantId,
      plan,
      maxActivations,
      campaign: campaign ?? null,
      entitlements,
      metadata,
      ...termGiven(plan, expiresAt, this.clock.now()),
    };
    const issued: IssuedLicense[] = [];
    for (let from = 0; from < owners.length; from += AT_ONCE) {
      const wanted = owners.slice(from, from + AT_ONCE).map((buyerEmail, at) => ({
        ...common,
        buyerEmail,
        source: batchSource(id, from + at + 1),
        ...(delivery === 'mail' ? { delivery: newDelivery() } : {}),
      }));
      issued.push(...(await this.lifecycle.issueAll(wanted)));
    }
    return issued;
  }

  private async remember(id: string, input: IssueBatch, items: readonly BatchLicense[]): Promise<void> {
    const remembered: Remembered = {
      body: digestOf(input),
      items: items.map(({ buyerEmail: _buyerEmail, ...item }) => item),
    };
    await this.batches.setSealed(id, await this.sealer.seal(remembered, purposeOf(id)));
  }

  /** Answers as the first time. Codes that were replaced meanwhile, and licenses that were deleted, are left out. */
  private async repeat(batch: LicenseBatchEntity, input: IssueBatch): Promise<LicenseBatch> {
    if (batch.sealed === null || batch.createdAt.getTime() + DAY_MS <= this.clock.now().getTime())
      throw new BatchAlreadyIssued(batch);
    const { body, items } = (await this.sealer.unseal(batch.sealed, purposeOf(batch.id))) as Remembered;
    if (body !== digestOf(input)) throw new IdempotencyKeyReused();
    const known = await this.batches.findLicenses(items.map(({ licenseId }) => licenseId));
    const shown = items.flatMap((item) => {
      const license = known.get(item.licenseId);
      if (license === undefined) return [];
      const { buyerEmail, codeHint } = license;
      return [{ ...item, buyerEmail, code: item.code?.endsWith(codeHint) === true ? item.code : null }];
    });
    return answerOf(batch, shown);
  }
}

function refuse(faults: readonly FieldError[]): void {
  if (faults.length > 0) throw new InvalidRequest(faults);
}

/** Recognizes the body of a request, in whichever order its fields came. */
const digestOf = (input: IssueBatch): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        Object.entries(input)
          .filter(([, value]) => value !== undefined)
          .toSorted(([one], [other]) => (one < other ? -1 : 1)),
      ),
    )
    .digest('base64url');

const answerOf = (
  { id, planId, campaign, delivery, count, createdAt }: LicenseBatchEntity,
  items: BatchLicense[],
): LicenseBatch => ({ id, planId, campaign, delivery, count, createdAt, items });
