import { type Check, type Fields, fields, InvalidInput, optional, required, text } from '../input.js';
import { conflict, unprocessable } from './errors.js';

/** A document that a client sent (docs/stores.md#safari-conventions). */
export interface Sent {
  readonly attributes: Fields;
  /** The id that a to-one relationship names. */
  related(name: string): string | undefined;
}

/** The JSON of a body as it may be shown in the log, `null` when it is none. */
export function looseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

/** Reads a document of the type that the path wants; a `PATCH` names its own id again. */
export function readDocument(body: Buffer, type: string, id?: string): Sent {
  return wordedByApple(() => {
    const data = readData(body);
    if (required(data, 'type', text) !== type || (id !== undefined && required(data, 'id', text) !== id))
      throw conflict('ENTITY_ERROR', `The resource in the body is not the ${type} of the request.`);
    const relationships = fields(data.relationships ?? {}, 'relationships');
    return {
      attributes: fields(data.attributes ?? {}, 'attributes'),
      related: (name) => {
        const link = optional(relationships, name, anyFields);
        return link && link.data != null ? required(fields(link.data, 'data'), 'id', text) : undefined;
      },
    };
  });
}

/** Reads the body of a to-one relationship. */
export function readLink(body: Buffer, type: string): string | null {
  return wordedByApple(() => {
    const document = fields(readJson(body), 'the document');
    if (document.data === null) return null;
    const data = fields(document.data, 'data');
    if (required(data, 'type', text) !== type) throw conflict('ENTITY_ERROR', `The relationship is to ${type}.`);
    return required(data, 'id', text);
  });
}

/** An attribute, or `undefined` where it is not named. */
export function attribute<T>({ attributes }: Sent, name: string, check: Check<T>): T | undefined {
  return wordedByApple(() => optional(attributes, name, check));
}

/** A relationship that must be there. */
export function relationship(sent: Sent, name: string): string {
  const id = sent.related(name);
  if (id === undefined)
    throw conflict('ENTITY_ERROR.RELATIONSHIP.REQUIRED', `You must provide a value for the relationship '${name}'`);
  return id;
}

const anyFields: Check<Fields> = (value, what) => fields(value, what);

function readData(body: Buffer): Fields {
  return required(fields(readJson(body), 'the document'), 'data', anyFields);
}

function readJson(body: Buffer): unknown {
  const value = looseJson(body);
  if (value === null) throw new InvalidInput('the body is not valid JSON');
  return value;
}

function wordedByApple<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw unprocessable(`The document is not valid: ${error.message}.`);
  }
}
