import { basename } from 'node:path';
import type { Schema } from '../api/service.js';
import { list } from '../terminal/words.js';

export type CredentialField = Schema<'FieldOfCredentials'>;
export type CredentialForm = readonly CredentialField[];
/** Values of a form by the names of its fields, dots and all. */
export type Values = Readonly<Record<string, string>>;

/** Puts values into the shape that the service takes: `serviceAccount.private_key` becomes a member of a member. Pure. */
export function nested(values: Values): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const path = name.split('.');
    const last = path.pop() ?? name;
    let at = root;
    for (const step of path) at = (at[step] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return root;
}

const article = (words: string): string => (/^[aeiou]/i.test(words) ? 'An' : 'A');
/** `Refresh token` in the middle of a sentence; `OAuth client` stays. */
const lower = (words: string): string => words.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** Name of a form for people: the fields that tell it from the others, or the file that has them all. Pure. */
export function formName(form: CredentialForm, forms: readonly CredentialForm[]): string {
  const isShared = ({ name }: CredentialField): boolean =>
    forms.every((other) => other.some((field) => field.name === name));
  const own = form.filter((field) => !isShared(field));
  const distinctive = own.length > 0 ? own : form;
  // An id and its secret are one thing.
  const bases = distinctive.map(({ title }) => title.replace(/ (id|secret)$/, ''));
  const isPair = (base: string): boolean => bases.indexOf(base) !== bases.lastIndexOf(base);
  const [first = '', ...others] = new Set(
    distinctive.map(({ title }, at) => (isPair(bases[at] ?? '') ? (bases[at] ?? '') : title)),
  );
  if (distinctive.every(({ file }) => file !== undefined))
    return `${article(first)} ${lower(first)}'s key file (recommended)`;
  return `${article(first)} ${list([first, ...others.map(lower)])}`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function jsonOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const memberAt = (json: Readonly<Record<string, unknown>>, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), json);

/**
 * Reads the values of a form from a file: one that the store lets people download, or JSON with the form's own names. Pure.
 * @param path of the file, whose name may contain a value; empty for standard input
 * @returns null when nothing of the form is in it
 */
export function valuesInFile(form: CredentialForm, path: string, text: string): Values | null {
  const json = jsonOf(text);
  const found = form.flatMap((field): [string, string][] => {
    const value = json === null ? undefined : (memberAt(json, field.name.split('.')) ?? ownMember(field, json));
    if (typeof value === 'string') return [[field.name, value]];
    return json === null && field.file !== undefined && field.file.member === null ? [[field.name, text]] : [];
  });
  if (!found.some(([name]) => form.some((field) => field.name === name && field.isSecret))) return null;
  return { ...namedIn(form, basename(path)), ...(Object.fromEntries(found) as Values) };
}

const ownMember = ({ file }: CredentialField, json: Readonly<Record<string, unknown>>): unknown =>
  file === undefined || file.member === null ? undefined : json[file.member];

/** Reads values from a file's name, if the form says that it contains them. */
function namedIn(form: CredentialForm, name: string): Values {
  const values: Record<string, string> = {};
  for (const { file } of form) {
    const placeholder = /\{(\w+)\}/.exec(file?.name ?? '')?.[1];
    if (file === undefined || placeholder === undefined) continue;
    const pattern = file.name
      .replaceAll(/[.+^$()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('*', '.*')
      .replace(`{${placeholder}}`, '(.+)');
    const value = new RegExp(`^${pattern}$`).exec(name)?.[1];
    if (value !== undefined) values[placeholder] = value;
  }
  return values;
}

/** A path as terminals write it when a file is dropped on them: quoted, escaped, or as a URL. Pure. */
export function droppedPath(typed: string, home: string): string {
  const text = typed.trim();
  const quoted = /^'(.*)'$|^"(.*)"$/.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? '';
  if (text.startsWith('file://')) return decodeURIComponent(new URL(text).pathname);
  const plain = process.platform === 'win32' ? text : text.replaceAll(/\\(.)/g, '$1');
  return plain.replace(/^~(?=[/\\])/, home);
}
