/** A filter with a name: the query of the page's address. */
export interface View {
  readonly name: string;
  readonly query: string;
}

/** What a person keeps of the home page. */
export interface Kept {
  /** Ids of extensions. */
  readonly stars: readonly string[];
  readonly views: readonly View[];
}

export const NOTHING: Kept = { stars: [], views: [] };
const MOST = { stars: 200, views: 20 };

const isView = (one: unknown): one is View =>
  typeof one === 'object' && one !== null && 'name' in one && 'query' in one && [one.name, one.query].every(isText);
const isText = (one: unknown): one is string => typeof one === 'string';
const listIn = (value: unknown, name: keyof Kept): readonly unknown[] => {
  const list: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
  return Array.isArray(list) ? list : [];
};

/** Reads what was kept; anything else is nothing, since people and earlier versions can write there too. Pure. */
export function readKept(text: string | null): Kept {
  if (text === null) return NOTHING;
  try {
    const value: unknown = JSON.parse(text);
    return {
      stars: listIn(value, 'stars').filter(isText).slice(0, MOST.stars),
      views: listIn(value, 'views').filter(isView).slice(0, MOST.views),
    };
  } catch {
    return NOTHING;
  }
}

/** Adds an extension to those that are starred, or takes it away. Pure. */
export const withStar = (kept: Kept, id: string): Kept => ({
  ...kept,
  stars: kept.stars.includes(id) ? kept.stars.filter((one) => one !== id) : [id, ...kept.stars].slice(0, MOST.stars),
});

/** Keeps a view; one of the same name is replaced. Pure. */
export const withView = (kept: Kept, view: View): Kept => ({
  ...kept,
  views: [...withoutView(kept, view.name).views, view].slice(-MOST.views),
});

/** Pure. */
export const withoutView = (kept: Kept, name: string): Kept => ({
  ...kept,
  views: kept.views.filter((one) => one.name !== name),
});
