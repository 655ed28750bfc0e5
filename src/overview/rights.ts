import type { Caller } from '../common/access/index.js';
import { lacks, type Permission } from '../common/access/pure.js';

/** Whether a caller may read something. The token of a session may read what the session may, whatever its scopes. Pure. */
export const may = ({ actor, role, scopes }: Caller, permission: Permission): boolean =>
  lacks({ role, scopes: actor.kind === 'user' ? null : scopes }, permission) === null;
