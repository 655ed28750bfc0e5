import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { BackupRunsService, type BackupStatus } from '../backup/index.js';
import { Config } from '../../common/config/index.js';
import { Transactions } from '../../common/database/index.js';
import { MINUTE_MS, typed } from '../../common/system/index.js';
import { AccountsService } from '../../platform/accounts/index.js';
import { composeMail, OutboxService, type ComposedMail } from '../../platform/mail/index.js';

const PURPOSE = 'backup-overdue';

/** Mails the operators when scheduled backups are overdue: once per outage, however many processes watch. */
@Injectable()
export class BackupWatchService {
  private readonly log = new Logger(BackupWatchService.name);

  constructor(
    private readonly config: Config,
    private readonly tx: Transactions,
    private readonly backups: BackupRunsService,
    private readonly accounts: AccountsService,
    private readonly outbox: OutboxService,
  ) {}

  /** Mails the operators about an outage, unless a process has done so. */
  @Interval('backup-watch', 10 * MINUTE_MS)
  async check(): Promise<void> {
    try {
      const status = await this.backups.status();
      if (status.outage === null) return;
      const { id, since } = status.outage;
      await this.tx.run(async () => {
        await this.backups.lock(id);
        if ((await this.outbox.countSince(PURPOSE, id, since)) > 0) return;
        const mail = overdueMail(status, this.config.publicUrl);
        const operators = await this.accounts.operatorAddresses();
        await this.outbox.addAll(operators.map((to) => ({ ...mail, purpose: PURPOSE, aboutId: id, to })));
      });
    } catch (error) {
      this.log.error({ msg: 'backups not watched', err: error });
    }
  }
}

function overdueMail({ everyHours, last, lastSucceeded }: BackupStatus, publicUrl: string): ComposedMail {
  const since =
    lastSucceeded === null
      ? 'No backup has succeeded yet.'
      : `The last backup that succeeded ended on ${lastSucceeded.finishedAt.toUTCString()}.`;
  return composeMail(
    `No backup of Pierhead at ${new URL(publicUrl).host} for a day or longer`,
    [
      `${since} BACKUP_EVERY_HOURS=${everyHours} asks for one every ${everyHours} hours.`,
      last?.error
        ? `Why the last one failed: ${last.error}`
        : 'None has failed: is the service running, and is its database reachable?',
      `Run “${typed('doctor')}” on the server to find the cause. You get this mail once until a backup succeeds.`,
    ],
    'because you are an operator of this service',
  );
}
