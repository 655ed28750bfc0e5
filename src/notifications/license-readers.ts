import { may, type Caller } from '../common/access/index.js';
import { InsufficientScope, RoleNotAllowed } from '../common/problems/index.js';
import { isLicenseKind } from './kinds.js';

/** Whether a caller may direct these kinds of notifications to some place: events of licenses name their buyers. */
export const mayDirect = (caller: Caller, kinds: readonly string[]): boolean =>
  !kinds.some(isLicenseKind) || may(caller, 'licenses:read');

/** Refuses whom {@link mayDirect} does not let. */
export function assertMayDirect(caller: Caller, kinds: readonly string[]): void {
  if (mayDirect(caller, kinds)) return;
  if (caller.role === null || may({ ...caller, scopes: null }, 'licenses:read'))
    throw new InsufficientScope('licenses:read');
  throw new RoleNotAllowed(caller.role, 'licenses:read');
}
