import { Injectable } from '@nestjs/common';
import { TENANT_SCOPES, type Scope } from '../../../common/access/index.js';
import { Hook } from '../../../common/database/index.js';
import { InvalidRequest } from '../../../common/problems/index.js';

/** What a token, or the tokens of a trust rule, are restricted to. */
export interface Restriction {
  readonly scopes: readonly Scope[];
  /** Null for all extensions. */
  readonly extensionIds: readonly string[] | null;
}

/** An extension, and its tenant once a hook has found it. */
interface WantedTenant {
  readonly extensionId: string;
  tenantId: string | null;
}

/** Access tokens that are restricted to some extensions. */
@Injectable()
export class RestrictionsService {
  /** Runs before something is restricted to extensions; refuses those that the tenant does not have. */
  readonly restricting = new Hook<{ readonly tenantId: string; readonly extensionIds: readonly string[] }>();
  /** Looks for the tenant of an extension. */
  readonly seeking = new Hook<WantedTenant>();

  /** @throws InvalidRequest when the tenant lacks an extension, or a scope concerns more than extensions */
  async check(tenantId: string, { scopes, extensionIds }: Restriction): Promise<void> {
    if (extensionIds === null) return;
    const wide = scopes.filter((scope) => TENANT_SCOPES.some((one) => one === scope));
    if (wide.length > 0)
      throw new InvalidRequest([
        { field: 'scopes', message: `must not hold ${wide.join(', ')} together with extensionIds.` },
      ]);
    await this.restricting.run({ tenantId, extensionIds });
  }

  /** Finds the tenant that has an extension; null when none has it. */
  async tenantOf(extensionId: string): Promise<string | null> {
    const wanted: WantedTenant = { extensionId, tenantId: null };
    await this.seeking.run(wanted);
    return wanted.tenantId;
  }
}
