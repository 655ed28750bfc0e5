import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Config } from '../../common/config/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { digestOf, isSecret, newSecret } from '../../common/fields/index.js';
import { Sealer } from '../../common/sealing/index.js';
import { Clock, MINUTE_MS } from '../../common/system/index.js';
import { MailLimitsService } from '../../platform/mail/index.js';
import { CodeMailsService } from '../delivery/index.js';
import {
  devicesAllowed,
  type LicenseEntity,
  LicenseLifecycleService,
  LicensesRepository,
  newDelivery,
} from '../licenses/index.js';
import type { LicensePlanEntity } from '../plans/index.js';
import { giftState, type GiftState, SHOWN_AGAIN_MS } from './gift-state.js';
import type { LicenseGiftEntity } from './license-gift.entity.js';
import { LicenseGiftsRepository } from './license-gifts.repository.js';

/** Path segment of the links. */
export const GIFT_PAGES = 'gift';

/** What a link is for, and what it does for a browser now. */
export interface Gift {
  readonly state: GiftState;
  readonly tenantId: string;
  readonly extensionName: string;
  readonly tier: string;
  readonly maxActivations: number;
  readonly expiresAt: Date | null;
  /** The owner, to whom the code is mailed as well; null for none. */
  readonly owner: string | null;
  /** Null unless it is shown. */
  readonly code: string | null;
}

/** A link with what it refers to. */
interface Found {
  readonly gift: LicenseGiftEntity;
  readonly license: LicenseEntity;
  readonly plan: LicensePlanEntity;
  readonly extensionName: string;
}

const purposeOf = (id: string): string => `license-gift:${id}`;

/** Links that give licenses away, each once. */
@Injectable()
export class GiftsService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly sealer: Sealer,
    private readonly gifts: LicenseGiftsRepository,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly mails: CodeMailsService,
    private readonly mailLimits: MailLimitsService,
  ) {}

  onModuleInit(): void {
    this.lifecycle.beforeCodeReplaced.add(({ id }) => this.gifts.withdraw(id));
  }

  /** Makes links for new licenses, inside the current transaction. @returns their addresses, which are stored nowhere */
  async create(licenses: readonly Pick<LicenseEntity, 'id'>[], expiresAt: Date | null): Promise<readonly string[]> {
    const tokens = licenses.map(() => newSecret());
    const rows = licenses.map(({ id: licenseId }, index) => ({
      ...newRow(this.clock.now()),
      licenseId,
      tokenDigest: digestOf(tokens[index] ?? ''),
      expiresAt,
      redeemedAt: null,
      browserDigest: null,
      sealed: null,
    }));
    await this.gifts.insert(rows);
    return tokens.map((token) => `${this.config.publicUrl}/${GIFT_PAGES}/${token}`);
  }

  /** Shows a link without using it. @param browser the secret of the browser, or null @returns null for an unknown link */
  async show(token: string, browser: string | null): Promise<Gift | null> {
    const found = await this.find(token);
    return found === null ? null : this.viewOf(found, browser);
  }

  /**
   * Uses a link once: makes the code of its license, and mails it to the owner if there is one. The same browser gets the same code again for a while.
   * @param email of who is to own the license; null to leave it without an owner
   */
  async redeem(token: string, browser: string, email: string | null): Promise<Gift | null> {
    const before = await this.show(token, browser);
    if (before?.state !== 'open') return before;
    const owner = before.owner ?? email;
    if (owner !== null) await this.mailLimits.countMany(before.tenantId, [owner]);
    return this.tx.run(async () => {
      const found = await this.find(token);
      if (found === null) return null;
      const license = await this.licenses.findForUpdate(found.license.tenantId, found.license.id);
      // Another request may have used the link while this one waited for the lock.
      const current = await this.find(token);
      if (license === null || current === null) return null;
      const view = await this.viewOf({ ...current, license }, browser);
      if (view.state !== 'open') return view;
      const code = await this.giveAway({ ...current, license }, browser, license.buyerEmail ?? email);
      return { ...view, state: 'again', owner: license.buyerEmail, code };
    });
  }

  /** Forgets codes that are shown no longer. */
  @Interval('license-gift-cleanup', 5 * MINUTE_MS)
  async forgetCodes(): Promise<void> {
    await this.gifts.forgetCodesUntil(new Date(this.clock.now().getTime() - SHOWN_AGAIN_MS));
  }

  private async giveAway({ gift, license, plan }: Found, browser: string, owner: string | null): Promise<string> {
    const now = this.clock.now();
    const code = await this.lifecycle.giveCode(license, {
      buyerEmail: owner,
      ...(owner === null ? {} : newDelivery()),
    });
    await this.gifts.redeem(gift.id, {
      redeemedAt: now,
      browserDigest: digestOf(browser),
      sealed: await this.sealer.seal(code, purposeOf(gift.id)),
      updatedAt: now,
    });
    if (owner !== null) await this.mails.sendAll(license.tenantId, [{ license, plan, code, licenseCount: 1 }]);
    const message = `The gift link of license …${license.codeHint} was used.`;
    await this.lifecycle.addEvent(license, 'license_redeemed', message);
    return code;
  }

  private async find(token: string): Promise<Found | null> {
    const gift = isSecret(token) ? await this.gifts.find(digestOf(token)) : null;
    const { license } = gift ?? {};
    if (gift === null || license?.plan === undefined) return null;
    return { gift, license, plan: license.plan, extensionName: license.extension?.name ?? '' };
  }

  private async viewOf({ gift, license, plan, extensionName }: Found, browser: string | null): Promise<Gift> {
    const browserDigest = browser === null ? null : digestOf(browser);
    const state = giftState(gift, license, browserDigest, this.clock.now());
    const isShown = state === 'again' && gift.sealed !== null;
    return {
      // The code may have been replaced or forgotten meanwhile.
      state: state === 'again' && !isShown ? 'used' : state,
      tenantId: license.tenantId,
      extensionName,
      tier: plan.tier,
      maxActivations: devicesAllowed(license.maxActivations, plan.maxActivations),
      expiresAt: license.expiresAt,
      owner: license.buyerEmail,
      code: isShown ? ((await this.sealer.unseal(gift.sealed ?? '', purposeOf(gift.id))) as string) : null,
    };
  }
}
