import type { Schema } from '../api/service.js';
import { bytes } from '../terminal/words.js';

type Changes = NonNullable<Schema<'ArtifactChanges'>['changes']>;

const SIGNS = { added: '+', removed: '−', changed: '~' } as const;
const signOf = (before: unknown, after: unknown): string =>
  before === null ? SIGNS.added : after === null ? SIGNS.removed : SIGNS.changed;

const ACCESS = { permissions: 'Permissions', hosts: 'Sites', optional: 'Asked for later' } as const;

/** The changes between two packages, in lines: a head for each kind, and an indented line for each change. Pure. */
export function linesOfChanges(changes: Changes): readonly string[] {
  const { manifest, files, warnings } = changes;
  const access = (['permissions', 'hosts', 'optional'] as const).flatMap((kind) =>
    section(ACCESS[kind], [
      ...changes[kind].added.map((one) => `${SIGNS.added} ${one}`),
      ...changes[kind].removed.map((one) => `${SIGNS.removed} ${one}`),
    ]),
  );
  const keys = manifest.items.map(
    ({ key, before, after }) => `${signOf(before, after)} ${key}  ${valuesOf(before, after)}`,
  );
  const paths = files.items.map(
    ({ path, before, after }) => `${signOf(before, after)} ${path}  ${valuesOf(sizeOf(before), sizeOf(after))}`,
  );
  const all = [
    ...access,
    ...section('Chrome asks users', warnings),
    ...section('Manifest', keys, manifest.changed),
    ...section('Files', paths, files.added + files.removed + files.changed),
  ];
  return all.length === 0 ? ['The packages have the same files.'] : all;
}

/** @param total of which the lines may be the first */
function section(head: string, lines: readonly string[], total = lines.length): readonly string[] {
  if (lines.length === 0) return [];
  const more = total - lines.length;
  return [head, ...lines.map((line) => `  ${line}`), ...(more > 0 ? [`  and ${more} more`] : [])];
}

const sizeOf = (size: number | null): string | null => (size === null ? null : bytes(size));

function valuesOf(before: string | null, after: string | null): string {
  const values = [before, after].filter((one) => one !== null);
  return values.length === 2 && before === after ? `${before}, other content` : values.join(' → ');
}
