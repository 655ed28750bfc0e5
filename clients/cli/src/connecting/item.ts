import type { Schema } from '../api/service.js';

export type StoreDescription = Schema<'StoreDescription'>;
type ItemForm = StoreDescription['item'];

/** A person's answers: ids of the item, a field of the credentials, or a slug, by name. */
export type ItemIds = Readonly<Record<string, string>>;

/** Reads an id, or the URL of a listing or dashboard; null for what is neither. Pure. */
export function readItem({ fields, urls }: ItemForm, typed: string): ItemIds | null {
  const text = typed.trim();
  if (/^https?:\/\//i.test(text)) return idsFromUrl(urls, text);
  const field = fields.find(({ pattern }) => new RegExp(pattern).test(text));
  return field === undefined ? null : { [field.name]: text };
}

function idsFromUrl(urls: readonly string[], url: string): ItemIds | null {
  for (const source of urls) {
    const { groups } = new RegExp(source).exec(url) ?? {};
    const named = Object.entries(groups ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, decoded(value)]],
    );
    if (named.length > 0) return Object.fromEntries(named) as ItemIds;
  }
  return null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
