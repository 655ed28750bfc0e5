import { InvalidRequest, PreconditionFailed } from '../../problems/index.js';

/** A value with a tag: a resource or its row, whose time of change differs after every change. */
interface Tagged {
  readonly updatedAt: Date;
}

const TAG = /(W\/)?"[\x21\x23-\x7E\x80-\xFF]*"/g;

/** Returns the entity tag of a resource. */
export const entityTagOf = ({ updatedAt }: Tagged): string => `"${updatedAt.toISOString()}"`;

/** A condition that a request sets for its change of a resource (RFC 9110, section 13.1.1). */
export class Precondition {
  /** Expects nothing. */
  static readonly NONE = new Precondition(null);

  /** @param tags one of which the resource must have; null when any will do */
  private constructor(private readonly tags: readonly string[] | null) {}

  /** Expects a row to be as it was read. */
  static unchanged(row: Tagged): Precondition {
    return new Precondition([entityTagOf(row)]);
  }

  /** Reads an `If-Match` header: absent, `*`, or tags separated by commas. */
  static ifMatch(header: string | undefined): Precondition {
    if (header === undefined || header.trim() === '*') return Precondition.NONE;
    const tags = header.match(TAG);
    if (tags === null || !/^[\s,]*$/.test(header.replaceAll(TAG, '')))
      throw new InvalidRequest([{ field: 'If-Match', message: 'must be * or entity tags in double quotes.' }]);
    return new Precondition(tags);
  }

  /** Checks a row that stays locked until the change of it commits, so that of two changes that expect the same state one is refused. */
  check(row: Tagged): void {
    // A weak tag begins with W/ and so equals none.
    if (this.tags !== null && !this.tags.includes(entityTagOf(row))) throw new PreconditionFailed(entityTagOf(row));
  }
}
