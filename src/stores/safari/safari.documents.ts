import { asList, asRecord, asText } from '../../common/net/index.js';

/** A resource of JSON:API (src/stores/README.md#safari-conventions). */
export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The id in a to-one relationship: `null` for none, `undefined` when the relationship was not included. */
  readonly related: (name: string) => string | null | undefined;
}

/** The resources of an answer, the included ones, and the URL of the next page. */
export interface Page {
  readonly data: readonly Resource[];
  readonly included: readonly Resource[];
  readonly next: string | undefined;
}

/** Reads any JSON:API document. Entries without type and id are skipped. */
export function pageOf(json: unknown): Page {
  const document = asRecord(json);
  const data = document?.['data'];
  return {
    data: resourcesOf(Array.isArray(data) ? data : [data]),
    included: resourcesOf(asList(document?.['included'])),
    next: asText(asRecord(document?.['links'])?.['next']),
  };
}

/** Whether an answer is a document: it has `data`, perhaps `null`. */
export function isDocument(json: unknown): boolean {
  const data = asRecord(json)?.['data'];
  return data === null || typeof data === 'object';
}

function resourcesOf(values: readonly unknown[]): Resource[] {
  return values.flatMap((value) => {
    const from = asRecord(value);
    const [type, id] = [asText(from?.['type']), asText(from?.['id'])];
    if (type === undefined || id === undefined) return [];
    const relationships = asRecord(from?.['relationships']);
    const related = (name: string): string | null | undefined => {
      const relationship = asRecord(relationships?.[name]);
      if (relationship === undefined || !('data' in relationship)) return undefined;
      return asText(asRecord(relationship['data'])?.['id']) ?? null;
    };
    return [{ type, id, attributes: asRecord(from?.['attributes']) ?? {}, related }];
  });
}
