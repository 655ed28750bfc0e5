import type { Schemas } from '../api/schemas';

export type CredentialField = Schemas['FieldOfCredentials'];
export type Values = Readonly<Record<string, string>>;

/** Makes the request's `credentials` of the fields' values: dots in a name are levels, and a switch is true or false. */
export function nested(fields: readonly CredentialField[], values: Values): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const { name, isSwitch = false } of fields) {
    const value = values[name];
    if (value === undefined) continue;
    const path = name.split('.');
    const last = path.pop() ?? name;
    let level = made;
    for (const part of path) level = (level[part] ??= {}) as Record<string, unknown>;
    level[last] = isSwitch ? value === 'true' : value;
  }
  return made;
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
