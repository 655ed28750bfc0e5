import type { Type } from '@nestjs/common';

/** An entity that belongs to an extension. */
type OfExtension = Type<{ id: string; extensionId: string }>;

/** The member of a request that names an extension, or something that belongs to one. */
export interface NamedSubject {
  readonly in: 'path' | 'query' | 'body';
  readonly name: string;
  /** Set when it is the id of such an entity; otherwise it is the extension's. */
  readonly entity?: OfExtension;
}

/**
 * Subject of a route. A token that is restricted to extensions gets 404 for ids of others, is refused at a route about the whole `tenant`,
 * and gets only its extensions from one that is `filtered`.
 */
export type Subject = 'tenant' | 'filtered' | NamedSubject;

/** The extension with the id in the path, or that of an entity with the id. */
export const inPath = (name: string, entity?: OfExtension): NamedSubject => named('path', name, entity);

/** The extension with the id in the query. */
export const inQuery = (name: string): NamedSubject => named('query', name);

/** The extension with the id in the body, or that of an entity with the id. */
export const inBody = (name: string, entity?: OfExtension): NamedSubject => named('body', name, entity);

const named = (place: NamedSubject['in'], name: string, entity?: OfExtension): NamedSubject => ({
  in: place,
  name,
  ...(entity === undefined ? {} : { entity }),
});
