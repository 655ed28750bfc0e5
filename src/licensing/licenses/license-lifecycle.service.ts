import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { Hook, newRow } from '../../common/database/index.js';
import { newId } from '../../common/fields/index.js';
import { IdempotentAnswers } from '../../common/http/index.js';
import { EventsService } from '../../registry/index.js';
import { CodesService, type StoredCode } from '../codes/index.js';
import { firstEndMoment, LicenseEventsService } from '../events/index.js';
import type { LicensePlanEntity } from '../plans/index.js';
import type { LicenseEntity } from './license.entity.js';
import { LicensesRepository } from './licenses.repository.js';
import { ListedLicensesRepository } from './listed-licenses.repository.js';

/** A license that is to be issued. */
export interface NewLicense {
  readonly tenantId: string;
  readonly plan: Pick<LicensePlanEntity, 'id' | 'extensionId' | 'graceDays' | 'onEnd'>;
  /** Null for a license without an owner. */
  readonly buyerEmail: string | null;
  /** The seller's name for the occasion; absent for none. */
  readonly campaign?: string | null;
  readonly expiresAt: Date | null;
  /** Set while its end waits for the first activation. */
  readonly duration?: string | null;
  /** Set where a subscription renews it; null or absent otherwise. */
  readonly renewalLeewayHours?: number | null;
  /** Number of devices; null or absent takes the plan's number. */
  readonly maxActivations?: number | null;
  /** Number of people, and of devices of each; null or absent takes the plan's. */
  readonly maxMembers?: number | null;
  readonly seatsPerMember?: number | null;
  /** Features besides the plan's; absent for none. */
  readonly entitlements?: string[];
  /** The seller's own data; absent for none. */
  readonly metadata?: Record<string, string>;
  /** `manual`, or `processor:purchase`, which is unique per tenant. */
  readonly source: string;
  /** Set when its payments or another tool have already suspended or revoked it; absent for an active license. */
  readonly initialState?: Pick<LicenseEntity, 'suspendedFor' | 'revokedAt' | 'revokedFor'>;
  /** It is sold in the processor's test mode; absent for a real one. */
  readonly isTest?: boolean;
  /** Tracks the mail with the code; absent when none is sent. */
  readonly delivery?: LicenseDelivery;
}

/** A license with its new code. */
export interface IssuedLicense {
  readonly license: LicenseEntity;
  readonly code: string;
}

/** A license with its new code; null when the buyer had one. */
export interface AddedLicense {
  readonly license: LicenseEntity;
  readonly code: string | null;
}

/** The fields of a license that track the mail with its code. */
export type LicenseDelivery = Pick<LicenseEntity, 'delivery' | 'deliveryId'>;

/** Returns the fields of a license whose mail is about to be added to the outbox. */
export const newDelivery = (): LicenseDelivery => ({ delivery: 'waiting', deliveryId: newId() });

const NO_DELIVERY: LicenseDelivery = { delivery: null, deliveryId: null };

/**
 * Changes that a tenant, a buyer and a payment make to a license in the same way. Every method runs inside its caller's transaction.
 */
@Injectable()
export class LicenseLifecycleService {
  /** Runs before a license's code is replaced or the license is erased: the code is about to stop working. */
  readonly beforeCodeReplaced = new Hook<LicenseEntity>();
  /** Runs before a license is locked to be erased, for locks that other transactions take before a license's. */
  readonly beforeEraseLock = new Hook<Pick<LicenseEntity, 'tenantId' | 'id'>>();
  /** Runs before a license and its buyer's address are erased. */
  readonly beforeErase = new Hook<LicenseEntity>();

  constructor(
    private readonly clock: Clock,
    private readonly codes: CodesService,
    private readonly events: EventsService,
    private readonly licenses: LicensesRepository,
    private readonly listed: ListedLicensesRepository,
    private readonly told: LicenseEventsService,
    private readonly answers: IdempotentAnswers,
  ) {}

  /** Issues a license. Its new code is in this result and nowhere else: a caller that keeps the code seals it. */
  async issue(wanted: NewLicense): Promise<IssuedLicense> {
    const issued = this.withNewCode(wanted);
    await this.licenses.insert([issued.license]);
    return issued;
  }

  /** Issues licenses with one statement, as above. @returns them in their order */
  async issueAll(wanted: readonly NewLicense[]): Promise<readonly IssuedLicense[]> {
    if (wanted.length === 0) return [];
    const issued = wanted.map((one) => this.withNewCode(one));
    await this.licenses.insert(issued.map(({ license }) => license));
    return issued;
  }

  /** Adds imported licenses with one statement, each with the code that its buyer already has, or else with a new one. @returns them in their order */
  async addAll(
    wanted: readonly { readonly license: NewLicense; readonly storedCode: StoredCode | null }[],
  ): Promise<readonly AddedLicense[]> {
    if (wanted.length === 0) return [];
    const added = wanted.map(({ license, storedCode }) =>
      storedCode === null ? this.withNewCode(license) : { license: this.rowOf(license, storedCode), code: null },
    );
    await this.licenses.insert(
      added.map(({ license }) => license),
      true,
    );
    return added;
  }

  /** Gives a locked license a new code. The old code seats no device from now on; those that hold a seat keep it for a while. @returns the new code */
  async replaceCode(license: LicenseEntity, delivery = NO_DELIVERY): Promise<string> {
    await this.beforeCodeReplaced.run(license);
    await this.licenses.keepFormerCode(license, this.clock.now());
    const { code, stored } = this.codes.make();
    await this.licenses.change(license, { ...stored, ...delivery });
    return code;
  }

  /** Gives a locked license a code in place of one that nobody has been told, and perhaps an owner. @returns the new code */
  async giveCode(
    license: LicenseEntity,
    change: Pick<LicenseEntity, 'buyerEmail'> & Partial<LicenseDelivery>,
  ): Promise<string> {
    const { code, stored } = this.codes.make();
    await this.licenses.change(license, { ...stored, ...change });
    return code;
  }

  /** Tells that a license's new code was mailed. */
  tellResent({ id: licenseId }: Pick<LicenseEntity, 'id'>): Promise<void> {
    return this.told.tell([{ kind: 'license.code_resent', licenseId, reason: null }]);
  }

  /** Locks a license that is to be erased. @returns null when the tenant has no such license */
  async findToErase(tenantId: string, id: string): Promise<LicenseEntity | null> {
    await this.beforeEraseLock.run({ tenantId, id });
    return this.licenses.findForUpdate(tenantId, id);
  }

  /** Erases a license that {@link findToErase} locked, with its seats and the buyer's address. */
  async erase(license: LicenseEntity): Promise<void> {
    const { tenantId, id: licenseId } = license;
    const { used = 0 } = (await this.listed.findListed(tenantId, licenseId)) ?? {};
    // Once for all seats, of which a license may have a million.
    if (used > 0) await this.told.tellNow([{ kind: 'license.seat_freed', licenseId, reason: 'erasure' }]);
    await this.beforeCodeReplaced.run(license);
    await this.beforeErase.run(license);
    await this.answers.forget(tenantId);
    await this.licenses.delete(license.id);
  }

  /** Adds to the extension's timeline. The timeline outlives the license, so the buyer's address is not in it. */
  addEvent({ id, extensionId, planId }: LicenseEntity, kind: string, message: string): Promise<void> {
    return this.events.append({ extensionId, kind, message, data: { licenseId: id, planId } });
  }

  private withNewCode(wanted: NewLicense): IssuedLicense {
    const { code, stored } = this.codes.make();
    return { license: this.rowOf(wanted, stored), code };
  }

  private rowOf(
    { initialState, delivery = NO_DELIVERY, ...wanted }: NewLicense,
    storedCode: StoredCode,
  ): LicenseEntity {
    const { graceDays, onEnd } = wanted.plan;
    const end = {
      expiresAt: wanted.expiresAt,
      graceDays,
      onEnd,
      renewalLeewayHours: wanted.renewalLeewayHours ?? null,
    };
    return {
      ...newRow(this.clock.now()),
      ...storedCode,
      tenantId: wanted.tenantId,
      extensionId: wanted.plan.extensionId,
      planId: wanted.plan.id,
      buyerEmail: wanted.buyerEmail,
      campaign: wanted.campaign ?? null,
      source: wanted.source,
      isTest: wanted.isTest ?? false,
      ...(initialState ?? { revokedAt: null, revokedFor: null, suspendedFor: [] }),
      duration: wanted.duration ?? null,
      ...end,
      expiryEventAt: firstEndMoment(end, this.clock.now()),
      maxActivations: wanted.maxActivations ?? null,
      maxMembers: wanted.maxMembers ?? null,
      seatsPerMember: wanted.seatsPerMember ?? null,
      entitlements: wanted.entitlements ?? [],
      metadata: wanted.metadata ?? {},
      ...delivery,
    };
  }
}
