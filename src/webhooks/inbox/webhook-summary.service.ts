import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { API_PREFIX } from '../../common/http/index.js';
import { CredentialsService } from '../../credentials/index.js';
import { PROCESSOR_IDS, Processors } from '../../payments/index.js';
import type { WebhookSummary } from '../webhooks.dto.js';
import { InboxRepository } from './inbox.repository.js';

/** Setup of a tenant's payment notifications. */
@Injectable()
export class WebhookSummaryService {
  constructor(
    private readonly config: Config,
    private readonly processors: Processors,
    private readonly credentials: CredentialsService,
    private readonly inbox: InboxRepository,
  ) {}

  /** Returns the webhook URL, and for each processor the events to enable and the last notification. */
  async summarize(tenantId: string): Promise<WebhookSummary> {
    const credentials = await this.credentials.listPayments(tenantId);
    const lastOf = await this.inbox.lastOfProcessors(tenantId, PROCESSOR_IDS);
    const lastBy = await this.inbox.lastOfCredentials(credentials.map(({ id }) => id));
    const processors = this.processors.all.map(
      ({ id, title, purchaseIds, events, credentialShape: { forms, lapsesAfterDays } }) => ({
        processor: id,
        title,
        purchaseIds: purchaseIds.map(({ kind, pattern }) => ({ kind, pattern: pattern.source })),
        form: { forms, lapsesAfterDays },
        events,
        last: lastOf.get(id) ?? null,
        credentials: credentials
          .filter(({ store }) => store === id)
          .map((credential) => ({
            id: credential.id,
            label: credential.label,
            last: lastBy.get(credential.id) ?? null,
          })),
      }),
    );
    return { webhookUrl: `${this.config.publicUrl}${API_PREFIX}/licensing/webhooks/payment/${tenantId}`, processors };
  }
}
