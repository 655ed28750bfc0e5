import type { Cell } from '../../common/http/index.js';
import type { AuditEntry } from './audit.dto.js';

export const CSV_HEAD: readonly Cell[] = [
  'id',
  'at',
  'actorKind',
  'actorId',
  'actorName',
  'actorRole',
  'sessionId',
  'address',
  'country',
  'action',
  'subjectType',
  'subjectId',
  'subjectName',
  'extensionId',
  'before',
  'after',
  'requestId',
];

/** An entry as a row below `CSV_HEAD`; what was before and after, as JSON. */
export const csvRow = ({ actor, subject, ...entry }: AuditEntry): readonly Cell[] => [
  entry.id,
  entry.at.toISOString(),
  actor.kind,
  actor.id,
  actor.name,
  actor.role,
  actor.sessionId,
  entry.address,
  entry.country,
  entry.action,
  subject.type,
  subject.id,
  subject.name,
  entry.extensionId,
  entry.before === null ? null : JSON.stringify(entry.before),
  entry.after === null ? null : JSON.stringify(entry.after),
  entry.requestId,
];
