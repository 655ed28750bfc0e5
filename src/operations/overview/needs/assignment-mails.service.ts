import { Injectable } from '@nestjs/common';
import { actingPerson, actorName } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { Clock, DAY_MS } from '../../../common/system/index.js';
import type { MembershipEntity } from '../../../platform/accounts/index.js';
import { composeMail, OutboxService } from '../../../platform/mail/index.js';
import type { Need } from './need.js';

const PURPOSE = 'assignment';
/** Keeps somebody who assigns back and forth from filling a mailbox. */
const MAX_PER_DAY = 30;

/** Mails members about what is assigned to them. */
@Injectable()
export class AssignmentMailsService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly outbox: OutboxService,
  ) {}

  /** Inside the transaction of the assignment. Sends nothing without a mail server, about what people assign to themselves, and to who wants no such mails. */
  async send(tenantId: string, { what, turn, remedy, action, href }: Need, member: MembershipEntity): Promise<void> {
    const { userId, user, assignmentMails } = member;
    if (this.config.smtpUrl === undefined || user === undefined || !assignmentMails || userId === actingPerson())
      return;
    const since = new Date(this.clock.now().getTime() - DAY_MS);
    if ((await this.outbox.countSince(PURPOSE, userId, since)) >= MAX_PER_DAY) return;
    const { publicUrl } = this.config;
    const mail = composeMail(
      what,
      [
        // What is left to others, such as one's own approval, is nothing that the assignee is to leave to others.
        `${actorName() ?? 'Somebody'} assigned this to you: ${turn === 'team' ? what : `${what} ${remedy}`}`,
        { button: new URL(href ?? '/', `${publicUrl}/`).href, label: action ?? 'Open the overview' },
        { link: `${publicUrl}/settings/account`, label: 'Stop these mails' },
      ],
      'because a member of your team assigned something to you',
    );
    await this.outbox.add({ ...mail, purpose: PURPOSE, aboutId: userId, tenantId, to: user.email });
  }
}
