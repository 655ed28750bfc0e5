import { type Answer, jsonAnswer } from '../answer.js';
import type { StoreCall } from '../stand-in.js';
import { badParameter } from './errors.js';

/** The target of a relationship. */
export interface Ref {
  readonly type: string;
  readonly id: string;
}

/** A resource with all its fields and relationships. */
export interface Shape extends Ref {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** To one, to many, or `null` for none. */
  readonly related: Readonly<Record<string, Ref | readonly Ref[] | null>>;
}

/** Finds the target of a relationship. */
export type LookUp = (ref: Ref) => Shape | undefined;

/** A list of resources. */
export interface Listing {
  readonly shapes: readonly Shape[];
  /** The value of each filter for a resource. */
  readonly filters: Readonly<Record<string, (shape: Shape) => unknown>>;
  /** Required filters. */
  readonly required?: readonly string[];
  readonly includes: readonly string[];
  readonly sorts?: Readonly<Record<string, (shape: Shape) => string>>;
  readonly lookUp: LookUp;
  readonly pageSize: number | null;
}

const MAX_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 50;

/** One resource. */
export function single(
  call: StoreCall,
  status: 200 | 201,
  shape: Shape,
  includes: readonly string[],
  lookUp: LookUp,
): Answer {
  const view = viewOf(call, includes);
  const included = includedOf([shape], view, lookUp);
  return jsonAnswer(status, {
    data: resourceJson(shape, view, originOf(call)),
    ...(view.include.length > 0 && {
      included: included.map((one) => resourceJson(one, { ...view, include: [] }, originOf(call))),
    }),
    links: { self: `${originOf(call)}${call.url.pathname}` },
  });
}

/** A page of a list, with a link to the next (src/stores/README.md#safari-conventions). */
export function page(call: StoreCall, listing: Listing): Answer {
  const { filters, includes, sorts = {}, lookUp } = listing;
  const view = viewOf(call, includes);
  const { searchParams } = call.url;
  for (const name of listing.required ?? [])
    if (!searchParams.has(`filter[${name}]`))
      throw badParameter(`filter[${name}]`, `The parameter 'filter[${name}]' is required`, 'MISSING');
  let found = listing.shapes.filter((shape) =>
    Object.entries(filters).every(([name, valueOf]) => {
      const wanted = searchParams.get(`filter[${name}]`);
      return wanted === null || wanted.split(',').includes(String(valueOf(shape)));
    }),
  );
  const sort = searchParams.get('sort');
  if (sort !== null) {
    const valueOf = sorts[sort.replace(/^-/, '')];
    if (!valueOf) throw badParameter('sort', `'${sort}' is not a valid sort`, 'INVALID');
    const sign = sort.startsWith('-') ? -1 : 1;
    found = found.toSorted((a, b) => sign * valueOf(a).localeCompare(valueOf(b)));
  }
  const limit = limitOf(searchParams.get('limit'), listing.pageSize);
  const start = cursorOf(searchParams.get('cursor'));
  const data = found.slice(start, start + limit);
  const next = new URL(call.url);
  next.searchParams.set('cursor', Buffer.from(String(start + limit)).toString('base64url'));
  const origin = originOf(call);
  const included = includedOf(data, view, lookUp).map((one) => resourceJson(one, { ...view, include: [] }, origin));
  return jsonAnswer(200, {
    data: data.map((shape) => resourceJson(shape, view, origin)),
    ...(view.include.length > 0 && included.length > 0 && { included }),
    links: {
      self: `${origin}${call.url.pathname}${call.url.search}`,
      ...(start + limit < found.length && { next: `${origin}${next.pathname}${next.search}` }),
    },
    meta: { paging: { total: found.length, limit } },
  });
}

interface View {
  readonly include: readonly string[];
  /** The fields to show, by type; all of a type that is not named. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/** The requested fields and relationships. */
function viewOf({ url }: StoreCall, includes: readonly string[]): View {
  const fields = new Map<string, readonly string[]>();
  for (const [name, value] of url.searchParams) {
    const type = /^fields\[(\w+)\]$/.exec(name)?.[1];
    if (type !== undefined) fields.set(type, value.split(','));
  }
  const include = (url.searchParams.get('include') ?? '').split(',').filter((name) => name !== '');
  const unknown = include.find((name) => !includes.includes(name));
  if (unknown !== undefined) throw badParameter('include', `'${unknown}' is not a valid relationship name`, 'INVALID');
  return { include, fields };
}

function limitOf(given: string | null, pageSize: number | null): number {
  const limit = given === null ? DEFAULT_PAGE_SIZE : Number(given);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE)
    throw badParameter('limit', `'${given}' is not a valid limit, which is from 1 to ${MAX_PAGE_SIZE}`, 'INVALID');
  return Math.min(limit, pageSize ?? MAX_PAGE_SIZE);
}

function cursorOf(given: string | null): number {
  if (given === null) return 0;
  const start = Number(Buffer.from(given, 'base64url').toString());
  if (!Number.isInteger(start) || start < 0)
    throw badParameter('cursor', `'${given}' is not a valid cursor`, 'INVALID');
  return start;
}

function includedOf(shapes: readonly Shape[], { include }: View, lookUp: LookUp): Shape[] {
  const refs = shapes.flatMap(({ related }) => include.flatMap((name) => listOf(related[name] ?? [])));
  const found = new Map<string, Shape>();
  for (const ref of refs) {
    const included = lookUp(ref);
    if (included) found.set(`${ref.type} ${ref.id}`, included);
  }
  return [...found.values()];
}

/**
 * A resource as JSON; a relationship has `data` only when it was included (src/stores/README.md#safari-conventions).
 */
function resourceJson({ type, id, attributes, related }: Shape, { include, fields }: View, origin: string): object {
  const wanted = fields.get(type);
  const isWanted = (name: string): boolean => wanted === undefined || wanted.includes(name);
  const self = `${origin}/v1/${type}/${id}`;
  const relationships = Object.entries(related)
    .filter(([name]) => isWanted(name))
    .map(([name, refs]) => {
      const data = Array.isArray(refs) ? refs.map(refOf) : refs === null ? null : refOf(refs as Ref);
      const links = { self: `${self}/relationships/${name}`, related: `${self}/${name}` };
      return [name, { ...(include.includes(name) && { data }), links }];
    });
  return {
    type,
    id,
    attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => isWanted(name))),
    ...(relationships.length > 0 && { relationships: Object.fromEntries(relationships) as object }),
    links: { self },
  };
}

const listOf = (refs: Ref | readonly Ref[]): readonly Ref[] => (Array.isArray(refs) ? refs : [refs as Ref]);

const refOf = ({ type, id }: Ref): Ref => ({ type, id });

export const originOf = ({ headers }: StoreCall): string => `http://${headers.host ?? '127.0.0.1'}`;
