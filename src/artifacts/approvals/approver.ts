import { may, type Caller } from '../../common/access/index.js';
import type { ApprovalRow } from './approval.entity.js';

/** Whether a caller may decide about a request: a person who may publish, in a session, and another one than who asked. Pure. */
export const mayDecide = (caller: Caller, { requestedById }: Pick<ApprovalRow, 'requestedById'>): boolean =>
  caller.actor.kind === 'user' && may(caller, 'artifacts:write') && caller.actor.id !== requestedById;
