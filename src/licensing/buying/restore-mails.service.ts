import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { digestOf, newSecret } from '../../common/fields/index.js';
import { Clock, MINUTE_MS } from '../../common/system/index.js';
import { composeMail, nameInMail, OutboxService } from '../../platform/mail/index.js';
import { BrandingService, senderOf } from '../branding/index.js';
import type { RestoreLinkEntity } from './restore-link.entity.js';
import { RestoresRepository, type RestorableLicense } from './restores.repository.js';

const LINK_MINUTES = 15;

/** What a device asked for. */
export type AskedLink = Pick<RestoreLinkEntity, 'email' | 'extensionId' | 'tokenDigest' | 'fingerprintDigest'>;

/** A license that a link is about to give, or has given, to a device. */
export interface Restore extends RestorableLicense {
  readonly email: string;
  readonly number: string;
}

/** Mails the links that give devices a license. */
@Injectable()
export class RestoreMailsService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly links: RestoresRepository,
    private readonly outbox: OutboxService,
    private readonly branding: BrandingService,
  ) {}

  /** Makes a link, and mails it. */
  async send(asked: AskedLink, { email: to, tenantId, extensionName, number }: Restore): Promise<void> {
    const name = nameInMail(extensionName);
    const secret = newSecret();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + LINK_MINUTES * MINUTE_MS);
    const mail = composeMail(
      `Use ${name} on another device`,
      [
        `A device that shows the number ${number} asks to use your license for ${name}. Open this link within ${LINK_MINUTES} minutes to allow it. It works once.`,
        { button: `${this.config.publicUrl}/buyer/restore?token=${secret}`, label: 'Allow the device' },
        'If you did not ask for this, ignore this mail: nobody can use your license without the link.',
      ],
      `because a device asked for the license for ${name} that this address has`,
      senderOf(await this.branding.brandOf(tenantId)),
    );
    await this.tx.run(async () => {
      const row = { ...newRow(now), ...asked, secretDigest: digestOf(secret), expiresAt };
      await this.links.insert(row);
      await this.outbox.add({ purpose: 'restore-link', aboutId: row.id, to, expiresAt, ...mail });
    });
  }
}
