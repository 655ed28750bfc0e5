import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NIL_ID } from '../../../common/fields/index.js';
import { LicenseLifecycleService } from '../../licenses/index.js';
import { LicenseMembersRepository, TeamService } from '../../members/index.js';
import { BuyerLinksRepository } from './buyer-links.repository.js';
import { BuyerSessionsRepository } from './buyer-sessions.repository.js';

/** Deletes the links and sessions of people who lose their last license: it is erased, or they leave its team. */
@Injectable()
export class ForgottenBuyersService implements OnModuleInit {
  constructor(
    private readonly members: LicenseMembersRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly team: TeamService,
    private readonly links: BuyerLinksRepository,
    private readonly sessions: BuyerSessionsRepository,
  ) {}

  onModuleInit(): void {
    this.lifecycle.beforeErase.add(async ({ id, buyerEmail }) => {
      const emails = (await this.members.listOf([id])).map(({ email }) => email);
      await this.forget(buyerEmail === null ? emails : [buyerEmail, ...emails], id);
    });
    this.team.removed.add((email) => this.forget([email], NIL_ID));
  }

  /** @param exceptId the license that they are about to lose */
  private async forget(emails: readonly string[], exceptId: string): Promise<void> {
    const forgotten = await this.members.withoutLicense(emails, exceptId);
    await this.links.deleteOf(forgotten);
    await this.sessions.deleteOf(forgotten);
  }
}
