import { Injectable } from '@nestjs/common';
import { uuidOrNil } from '../../common/fields/index.js';
import { CodeClaimsService } from '../delivery/index.js';
import { CheckoutNotOffered, LicensingNotEnabled } from '../licensing.problems.js';
import { CheckoutLinks, LicensePlansRepository } from '../plans/index.js';
import { fingerprintDigest } from '../seats/index.js';
import type { AskCheckout, Checkout } from './checkout.dto.js';

/** Sends devices to checkouts. Nothing is stored until somebody pays: the token says by itself which device may use it. */
@Injectable()
export class CheckoutsService {
  constructor(
    private readonly plans: LicensePlansRepository,
    private readonly links: CheckoutLinks,
    private readonly claims: CodeClaimsService,
  ) {}

  /** Makes the address at which a device buys a plan. */
  async checkout({ extensionId, tier, fingerprint, processor: wanted }: AskCheckout): Promise<Checkout> {
    const id = uuidOrNil(extensionId);
    const found = await this.plans.findCheckout(id, tier, wanted ?? null);
    if (found === null) throw new LicensingNotEnabled();
    const { processor, checkoutUrl } = found;
    if (processor === null) throw new CheckoutNotOffered(tier);
    const claim = this.claims.newDeviceClaim(fingerprintDigest(id, fingerprint));
    return { url: this.links.complete(processor, checkoutUrl, claim.claimToken), ...claim, processor };
  }
}
