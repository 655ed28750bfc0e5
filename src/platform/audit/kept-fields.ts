import type { EntityMetadata } from 'typeorm';
import { purposesOf, storedColumns } from '../../common/database/index.js';
import { SUBJECTS, type SubjectType } from './subjects.js';

const TYPES = Object.keys(SUBJECTS) as SubjectType[];

const tableOf = (type: SubjectType): string => {
  const subject = SUBJECTS[type];
  return 'table' in subject ? subject.table : type;
};

/**
 * Returns, by kind of subject, the fields that entries keep: those that entities mark with `@Audited`.
 * @throws Error when a mark belongs to no kind of subject
 */
export function keptFields(entities: readonly EntityMetadata[]): ReadonlyMap<string, readonly string[]> {
  const kept = new Map<string, string[]>(TYPES.map((type) => [type, []]));
  for (const column of entities.flatMap(storedColumns)) {
    const { audited } = purposesOf(column);
    if (audited === undefined) continue;
    const { tableName } = column.entityMetadata;
    const fields = kept.get(audited.of ?? TYPES.find((type) => tableOf(type) === tableName) ?? '');
    if (fields === undefined) throw new Error(`${tableName}.${column.databaseName} is audited, but of no subject`);
    const field = audited.as ?? column.propertyName;
    if (!fields.includes(field)) fields.push(field);
  }
  return kept;
}
