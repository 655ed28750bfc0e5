import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { actAs } from '../../../common/access/index.js';
import { Transactions } from '../../../common/database/index.js';
import { BackgroundTasks } from '../../../common/jobs/index.js';
import { UserAuditService } from '../user-audit.service.js';
import type { UserEntity } from '../user.entity.js';

/** Records refused log-ins after the answer, so that its timing does not reveal that the address has an account. */
@Injectable()
export class LoginRefusalsService implements BeforeApplicationShutdown {
  private readonly recording = new BackgroundTasks(LoginRefusalsService.name);

  constructor(
    private readonly tx: Transactions,
    private readonly audit: UserAuditService,
  ) {}

  /** Records a refusal soon. */
  note(user: UserEntity): void {
    this.recording.start('a refused log-in was not recorded', () =>
      actAs({ kind: 'unknown' }, () => this.tx.run(() => this.audit.record(user, 'user.login_refused'))),
    );
  }

  /** Resolves when all refusals are recorded. */
  async whenIdle(): Promise<void> {
    await this.recording.whenIdle();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.whenIdle();
  }
}
