import { Injectable } from '@nestjs/common';
import { currentActor } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { Clock, DAY_MS } from '../../../common/system/index.js';
import { OutboxService } from '../../mail/index.js';
import { RequestPlace } from '../request-place.js';
import type { UserEntity } from '../user.entity.js';
import { accountMail, type AccountAlert } from './account-mail.js';

const PURPOSE = 'account';
/** Keeps someone who signed up with another person's address from filling that person's mailbox. */
const MAX_PER_DAY = 10;

/** Mails that alert users to changes of their accounts. */
@Injectable()
export class AccountMailsService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly place: RequestPlace,
    private readonly outbox: OutboxService,
  ) {}

  /** Mails a user about a change, inside its transaction, at most ten times a day. Does nothing without a mail server. */
  async alert({ id, email }: Pick<UserEntity, 'id' | 'email'>, alert: AccountAlert): Promise<void> {
    if (this.config.smtpUrl === undefined) return;
    const at = this.clock.now();
    if ((await this.outbox.countSince(PURPOSE, id, new Date(at.getTime() - DAY_MS))) >= MAX_PER_DAY) return;
    const mail = accountMail(alert, { publicUrl: this.config.publicUrl, at, from: this.from() });
    await this.outbox.add({ ...mail, purpose: PURPOSE, aboutId: id, to: email });
  }

  private from(): string | null {
    if (currentActor().kind === 'operator') return 'by the operator of the service';
    const { device, country } = this.place.current();
    const known = [device, country].filter((one) => one !== null);
    return known.length === 0 ? null : `from ${known.join(', ')}`;
  }
}
