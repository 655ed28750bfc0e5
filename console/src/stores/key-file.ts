/** The parts of a field that matter here: its name, in which dots are levels, and which file has it. */
interface Field {
  readonly name: string;
  readonly file?: { readonly name: string; readonly member: string | null };
}

/**
 * Reads the fields that a key file has, and those that its name has, such as `AuthKey_{keyId}.p8`. A file of JSON may also have the names of the
 * fields themselves, as the command line takes it.
 * @param pattern that the names of such files have
 * @throws Error that says what the file lacks
 */
export function readKeyFile(
  fields: readonly Field[],
  pattern: string,
  file: { readonly name: string; readonly text: string },
): Readonly<Record<string, string>> {
  const json = jsonIn(file.text);
  const own = fields.flatMap(({ name }) => {
    const value = name.split('.').reduce(memberOf, json);
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  if (own.length > 0) return Object.fromEntries(own);
  const values: Record<string, string> = {};
  for (const { name, file: source } of fields) {
    if (source?.name !== pattern) continue;
    values[name] = source.member === null ? file.text.trim() : textOf(json, source.member);
  }
  return { ...values, ...inName(pattern, file.name) };
}

/** Undefined for what is no JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];

function textOf(json: unknown, member: string): string {
  if (json === undefined) throw new Error('This is not the key file: it is not JSON.');
  const value = memberOf(json, member);
  if (typeof value !== 'string') throw new Error(`This is not the key file: it has no ${member}.`);
  return value;
}

function inName(pattern: string, name: string): Readonly<Record<string, string>> {
  const [, before = '', field, after = ''] = /^(.*)\{(\w+)\}(.*)$/.exec(pattern) ?? [];
  if (field === undefined || !name.startsWith(before) || !name.endsWith(after)) return {};
  return { [field]: name.slice(before.length, name.length - after.length) };
}
