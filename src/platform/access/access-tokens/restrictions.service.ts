import { Injectable } from '@nestjs/common';
import { TENANT_SCOPES, type Scope } from '../../../common/access/index.js';
import { InvalidRequest } from '../../../common/problems/index.js';
import { TenantExtensions } from './tenant-extensions.js';

/** Restriction of a token, or of the tokens of a trust rule. */
export interface Restriction {
  readonly scopes: readonly Scope[];
  /** Null for all extensions. */
  readonly extensionIds: readonly string[] | null;
}

/** Access tokens that are restricted to some extensions. */
@Injectable()
export class RestrictionsService {
  constructor(private readonly extensions: TenantExtensions) {}

  /** @throws InvalidRequest when the tenant lacks an extension, or a scope concerns more than extensions */
  async check(tenantId: string, { scopes, extensionIds }: Restriction): Promise<void> {
    if (extensionIds === null) return;
    const wide = scopes.filter((scope) => TENANT_SCOPES.some((one) => one === scope));
    if (wide.length > 0)
      throw new InvalidRequest([
        { field: 'scopes', message: `must not hold ${wide.join(', ')} together with extensionIds.` },
      ]);
    if (!(await this.extensions.hasAll(tenantId, extensionIds)))
      throw new InvalidRequest([
        { field: 'extensionIds', message: 'must hold only ids of extensions of this tenant.' },
      ]);
  }
}
