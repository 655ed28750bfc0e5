import { lacks, type Caller, type Permission } from '../common/access/index.js';

/** Whether a caller may read something. The token of a session shows what the session may read. */
export const may = ({ actor, role, scopes }: Caller, permission: Permission): boolean =>
  lacks({ role, scopes: actor.kind === 'user' ? null : scopes }, permission) === null;
