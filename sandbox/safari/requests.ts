import {
  type Check,
  type Fields,
  fields,
  InvalidInput,
  jsonOrNull,
  object,
  optional,
  required,
  text,
} from '../input.js';
import { conflict, unprocessable } from './errors.js';

/** A document that a client sent (src/stores/README.md#safari-conventions). */
export interface Sent {
  readonly attributes: Fields;
  /** The id in a to-one relationship, which must be of a type if one is given. */
  related(name: string, type?: string): string | undefined;
}

/** Reads a document of the type in the path; in a `PATCH` it also contains the id. */
export function readDocument(body: Buffer, type: string, id?: string): Sent {
  return withAppleErrors(() => {
    const data = readData(body);
    if (required(data, 'type', text) !== type || (id !== undefined && required(data, 'id', text) !== id))
      throw conflict('ENTITY_ERROR', `The resource in the body is not the ${type} of the request.`);
    const relationships = fields(data.relationships ?? {}, 'relationships');
    return {
      attributes: fields(data.attributes ?? {}, 'attributes'),
      related: (name, wanted) => {
        const link = optional(relationships, name, object);
        if (link?.data == null) return undefined;
        const linked = fields(link.data, 'data');
        if (wanted !== undefined && required(linked, 'type', text) !== wanted)
          throw conflict('ENTITY_ERROR.RELATIONSHIP.INVALID', `The relationship '${name}' is to ${wanted}.`);
        return required(linked, 'id', text);
      },
    };
  });
}

/** Reads the body of a to-one relationship. */
export function readLink(body: Buffer, type: string): string | null {
  return withAppleErrors(() => {
    const document = fields(readJson(body), 'the document');
    if (document.data === null) return null;
    const data = fields(document.data, 'data');
    if (required(data, 'type', text) !== type) throw conflict('ENTITY_ERROR', `The relationship is to ${type}.`);
    return required(data, 'id', text);
  });
}

/** An attribute, or `undefined` when absent. */
export function attribute<T>({ attributes }: Sent, name: string, check: Check<T>): T | undefined {
  return withAppleErrors(() => optional(attributes, name, check));
}

/** A required relationship. */
export function relationship(sent: Sent, name: string, type?: string): string {
  const id = sent.related(name, type);
  if (id === undefined)
    throw conflict('ENTITY_ERROR.RELATIONSHIP.REQUIRED', `You must provide a value for the relationship '${name}'`);
  return id;
}

function readData(body: Buffer): Fields {
  return required(fields(readJson(body), 'the document'), 'data', object);
}

function readJson(body: Buffer): unknown {
  const value = jsonOrNull(body);
  if (value === null) throw new InvalidInput('the body is not valid JSON');
  return value;
}

function withAppleErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw unprocessable(`The document is not valid: ${error.message}.`);
  }
}
