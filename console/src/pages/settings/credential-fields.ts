import type { Schemas } from '../../api';

export type CredentialField = Schemas['FieldOfCredentials'];

/** What every payment processor wants; stores say it themselves in `GET /stores`. */
export const PROCESSOR_FIELDS: readonly CredentialField[] = [
  {
    name: 'webhookSecret',
    title: 'Signing secret',
    isSecret: true,
    isRequired: true,
    how: 'The processor shows it when you add the address above as a webhook.',
  },
  {
    name: 'apiKey',
    title: 'API key',
    isSecret: true,
    isRequired: false,
    how: 'A restricted key that reads. Without one, some events wait for an address of the buyer.',
  },
];

/** Names of the payment processors. */
export const PROCESSORS = {
  stripe: 'Stripe',
  paddle: 'Paddle',
  lemonsqueezy: 'Lemon Squeezy',
  polar: 'Polar',
} as const;

/** Nests values whose names have dots, as the request wants them; empty ones are left out. */
export function nested(values: Readonly<Record<string, string>>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === '') continue;
    const parts = name.split('.');
    const last = parts.pop() ?? name;
    let at = root;
    for (const part of parts) at = (at[part] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return root;
}

/**
 * Reads the fields that a key file has, and those that its name has, such as `AuthKey_{keyId}.p8`.
 * @throws Error that says what the file lacks
 */
export function readKeyFile(
  fields: readonly CredentialField[],
  file: { readonly name: string; readonly text: string },
): Readonly<Record<string, string>> {
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
    throw new Error('This is not the key file: it is no JSON.');
  }
  if (typeof value !== 'string') throw new Error(`This is not the key file: it has no ${member}.`);
  return value;
}

function inName(pattern: string, name: string): Readonly<Record<string, string>> {
  const [, before = '', field, after = ''] = /^(.*)\{(\w+)\}(.*)$/.exec(pattern) ?? [];
  if (field === undefined || !name.startsWith(before) || !name.endsWith(after)) return {};
  return { [field]: name.slice(before.length, name.length - after.length) };
}
