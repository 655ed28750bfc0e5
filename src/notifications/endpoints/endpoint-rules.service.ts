import { Injectable } from '@nestjs/common';
import { type FieldError, InvalidRequest } from '../../common/problems/index.js';
import { LicensePlansService } from '../../licensing/index.js';
import { ExtensionsService } from '../../registry/index.js';
import type { EndpointEntity, EndpointRow } from '../endpoint.entity.js';
import { WebhookSender } from '../outgoing-webhooks/index.js';
import type { UpdateNotificationEndpoint } from './endpoints.dto.js';

type Filters = Partial<Pick<EndpointRow, 'extensionIds' | 'planIds' | 'tiers'>>;

/** What an endpoint may be: where it leads, what it is told and of what. */
@Injectable()
export class EndpointRulesService {
  constructor(
    private readonly extensions: ExtensionsService,
    private readonly plans: LicensePlansService,
    private readonly sender: WebhookSender,
  ) {}

  /** Checks that an endpoint has the fields of its kind. @param isNew whether the fields that the kind requires must be present */
  assertFieldsOf(kind: EndpointEntity['kind'], input: UpdateNotificationEndpoint, isNew: boolean): void {
    const [needed, other] = kind === 'webhook' ? (['url', 'address'] as const) : (['address', 'url'] as const);
    const errors: FieldError[] = [];
    if (input[other] !== undefined)
      errors.push({ field: other, message: `is not allowed for an endpoint of kind ${kind}.` });
    if (isNew && input[needed] === undefined)
      errors.push({ field: needed, message: `is required for an endpoint of kind ${kind}.` });
    const fault = kind === 'webhook' && input.url !== undefined ? this.sender.faultOf(input.url) : null;
    if (fault !== null) errors.push({ field: 'url', message: fault });
    if (errors.length > 0) throw new InvalidRequest(errors);
  }

  /**
   * Checks that the tenant has what filters name, or that the endpoint named it before. A plan or an extension that is deleted later matches nothing.
   * @param before the filters of the endpoint until now
   */
  async assertOwn(tenantId: string, { extensionIds, planIds, tiers }: Filters, before: Filters = {}): Promise<void> {
    const extensions = extensionIds == null ? [] : await this.extensions.listNames(tenantId);
    const plans = planIds == null && tiers == null ? [] : await this.plans.listTiers(tenantId);
    const named = [
      ['extensionIds', extensionIds, extensions.map(({ id }) => id)],
      ['planIds', planIds, plans.map(({ id }) => id)],
      ['tiers', tiers, plans.map(({ tier }) => tier)],
    ] as const;
    const errors = named.flatMap(([field, wanted, own]): FieldError[] =>
      (wanted ?? []).every((one) => own.includes(one) || before[field]?.includes(one))
        ? []
        : [{ field, message: 'must name only your own.' }],
    );
    if (errors.length > 0) throw new InvalidRequest(errors);
  }
}
