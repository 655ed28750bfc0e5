import { Injectable } from '@nestjs/common';
import { actingPerson, rolesWith, type Permission } from '../common/access/index.js';
import { Config } from '../common/config/index.js';
import { Clock, DAY_MS } from '../common/system/index.js';
import { MembershipsRepository } from '../platform/accounts/index.js';
import { OutboxService } from '../platform/mail/index.js';
import { memberOf, type NotificationKind } from './kinds.js';
import { mailOf, type MailContent } from './deliveries/wording.js';

const PURPOSE = 'approval';
/** Keeps a job that pushes in a loop from filling mailboxes. */
const MAX_PER_DAY = 30;

/** Who is mailed: everybody with a permission but who acts, or the one who asked. */
const READERS: Partial<Readonly<Record<NotificationKind, Permission | 'requester'>>> = {
  approval_requested: 'artifacts:write',
  approval_given: 'requester',
  approval_rejected: 'requester',
  approval_turned_off: 'members:write',
};

/** Mails the people who can approve a version, and tells who pushed it what became of it, whether or not an endpoint has their address. */
@Injectable()
export class ApprovalMailsService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly memberships: MembershipsRepository,
    private readonly outbox: OutboxService,
  ) {}

  /** Inside the transaction of the event; does nothing without a mail server. @param data of the event */
  async send(
    notification: MailContent & { readonly tenantId: string; readonly kind: NotificationKind },
    data: unknown,
  ): Promise<void> {
    const { tenantId, kind } = notification;
    const readers = READERS[kind];
    if (readers === undefined || this.config.smtpUrl === undefined) return;
    const asker = memberOf(data, 'requestedById') ?? null;
    const members = await this.memberships.findWith(tenantId, rolesWith(readers === 'requester' ? 'account' : readers));
    const chosen = members.filter(({ userId }) =>
      readers === 'requester' ? userId === asker : userId !== (kind === 'approval_requested' ? asker : actingPerson()),
    );
    const since = new Date(this.clock.now().getTime() - DAY_MS);
    for (const { userId, email } of chosen) {
      if ((await this.outbox.countSince(PURPOSE, userId, since)) >= MAX_PER_DAY) continue;
      const mail = mailOf(notification, this.config.publicUrl, {
        why: 'because your team requires that another person approves each version',
      });
      await this.outbox.add({ ...mail, purpose: PURPOSE, aboutId: userId, tenantId, to: email });
    }
  }
}
