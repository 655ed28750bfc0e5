import type { ImportFacts } from './import-facts.js';
import type { FileImport, ListedImport } from './imports.dto.js';
import type { ImportRow } from './imports.repository.js';
import type { Field } from './reading/profile.js';
import { missingFields, notesOf } from './reading/reading.js';

/** Shows an import as it is listed. */
export function toListedImport(row: ImportRow): ListedImport {
  const { id, extensionId, state, profile, lines, created, existing, skipped, faults, codes, sha256 } = row;
  return {
    id,
    extensionId,
    state,
    profile,
    lines,
    done: created + existing + skipped + faults,
    created,
    existing,
    skipped,
    faults,
    codes,
    sha256,
    requestedBy: 'name' in row.actor ? row.actor.name : null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    expiresAt: row.expiresAt,
  };
}

/** Shows an import with how its file is read. */
export function toFileImport(row: ImportRow, facts: ImportFacts): FileImport {
  const { names, reading, products, statuses, firstFaults } = facts;
  const held = Object.entries(reading.columns) as [Field, readonly string[]][];
  return {
    ...toListedImport(row),
    columns: names.map((name) => ({ name, field: held.find(([, columns]) => columns.includes(name))?.[0] ?? null })),
    missing: [...missingFields({ ...reading, profile: row.profile })],
    products: [...products],
    statuses: [...statuses],
    notes: notesOf({ ...reading, profile: row.profile }, names),
    firstFaults: [...firstFaults],
  };
}
