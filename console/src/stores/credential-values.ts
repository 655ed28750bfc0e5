import type { Schemas } from '../api/schemas';

type CredentialField = Schemas['FieldOfCredentials'];
type Values = Readonly<Record<string, string>>;

/** Makes the request's `credentials` of the fields' values: dots in a name are levels. */
export function nested(values: Values): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === '') continue;
    const path = name.split('.');
    const last = path.pop() ?? name;
    let level = made;
    for (const part of path) level = (level[part] ??= {}) as Record<string, unknown>;
    level[last] = value;
  }
  return made;
}

/** Whether a file is the one that a field is found in; `*` stands for anything, a name in braces for a value. */
export function isNamedLike(pattern: string, fileName: string): boolean {
  const source = pattern.replaceAll(/[.+?^$()|[\]\\]/g, '\\$&').replaceAll(/\*|\{[^}]*\}/g, '.*');
  return new RegExp(`^${source}$`, 'i').test(fileName);
}

/** Takes from a downloaded file what it says of the fields. A file of another kind says nothing. */
export function valuesInFile(fields: readonly CredentialField[], fileName: string, text: string): Values {
  const found = fields
    .filter(({ file }) => file !== undefined && isNamedLike(file.name, fileName))
    .map(({ name, file }) => [name, file?.member == null ? text : memberOf(text, file.member)] as const);
  return Object.fromEntries(found.filter((entry): entry is readonly [string, string] => entry[1] !== null));
}

function memberOf(text: string, member: string): string | null {
  try {
    const value = (JSON.parse(text) as Readonly<Record<string, unknown>> | null)?.[member];
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** Takes the ids of an item from what was pasted: the URL of its listing or dashboard, or the id itself. */
export function idsIn(item: Schemas['ItemOfStore'], pasted: string, field: string): Values {
  const text = pasted.trim();
  for (const url of item.urls) {
    const ids = Object.entries(new RegExp(url).exec(text)?.groups ?? {})
      .filter(([name, value]) => value !== undefined && item.fields.some((each) => each.name === name))
      .map(([name, value]) => [name, decodeURIComponent(value)] as const);
    if (ids.length > 0) return Object.fromEntries(ids);
  }
  return { [field]: text };
}
