import type { Schemas } from '../api/schemas';

export type CredentialField = Schemas['FieldOfCredentials'];
export type Values = Readonly<Record<string, string>>;

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

/**
 * Reads the fields that a key file has, and those that its name has, such as `AuthKey_{keyId}.p8`.
 * @throws Error that says what the file lacks
 */
export function readKeyFile(
  fields: readonly CredentialField[],
  file: { readonly name: string; readonly text: string },
): Values {
  const values: Record<string, string> = {};
  for (const field of fields) {
    if (field.file === undefined) continue;
    const { name: pattern, member } = field.file;
    values[field.name] = member === null ? file.text.trim() : memberOf(file.text, member);
    Object.assign(values, inName(pattern, file.name));
  }
  return values;
}

function memberOf(text: string, member: string): string {
  let value: unknown;
  try {
    value = (JSON.parse(text) as Readonly<Record<string, unknown>> | null)?.[member];
  } catch {
    throw new Error('This is not the key file: it is not JSON.');
  }
  if (typeof value !== 'string') throw new Error(`This is not the key file: it has no ${member}.`);
  return value;
}

function inName(pattern: string, name: string): Values {
  const [, before = '', field, after = ''] = /^(.*)\{(\w+)\}(.*)$/.exec(pattern) ?? [];
  if (field === undefined || !name.startsWith(before) || !name.endsWith(after)) return {};
  return { [field]: name.slice(before.length, name.length - after.length) };
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
