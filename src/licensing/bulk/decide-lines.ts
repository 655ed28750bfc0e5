import type { StoredCode } from '../codes/index.js';

/** A line, and by what it is recognized. */
export interface IdentifiedLine {
  readonly line: number;
  /** The digests, in hex, that its code may have, the one to store first; none without a code. */
  readonly digests: readonly string[];
  readonly order: string | null;
  /** What to store of its code; null for a line that gets a new one. */
  readonly stored: StoredCode | null;
}

/** A license that exists. */
export interface ExistingLicense {
  readonly id: string;
  readonly tenantId: string;
  readonly extensionId: string;
  readonly createdAt: Date;
  readonly codeDigest: Buffer;
  readonly source: string;
}

/** Licenses of any tenant that have one of the codes, and those of the tenant that have one of the orders, or whose id is one: they were exported. */
interface ExistingLicenses {
  readonly ofCodes: readonly ExistingLicense[];
  readonly ofOrders: readonly ExistingLicense[];
  readonly ofIds: readonly ExistingLicense[];
}

/** What the lines of one import share. */
interface Owner {
  readonly tenantId: string;
  readonly extensionId: string;
  /** When the import began: licenses since then may be those of its own lines. */
  readonly since: Date;
}

/** What becomes of a line. */
export type Decision<Line> =
  | { readonly kind: 'new'; readonly line: Line; readonly order: string | null }
  /** Its license exists, or is that of an earlier line of the file. */
  | { readonly kind: 'exists'; readonly line: Line; readonly licenseId: string | null; readonly sameAs: number | null }
  /** Its code or order belongs to a license of another extension. */
  | { readonly kind: 'foreign'; readonly line: Line };

/**
 * Decides what becomes of lines. One whose code a license or an earlier line has makes none; nor does one whose order has a license, except that
 * an order may have several codes in the same file. Pure, but for `seen`.
 * @param seen by the keys of earlier lines, their numbers; those of these lines that make a license are added
 */
export function decideLines<Line extends IdentifiedLine>(
  lines: readonly Line[],
  { ofCodes, ofOrders, ofIds }: ExistingLicenses,
  owner: Owner,
  seen: Map<string, number>,
): readonly Decision<Line>[] {
  const byCode = new Map(ofCodes.map((one) => [one.codeDigest.toString('hex'), one]));
  const byOrder = new Map([
    ...ofIds.map((one) => [one.id, one] as const),
    ...ofOrders.map((one) => [one.source.slice(one.source.indexOf(':') + 1), one] as const),
  ]);
  const isForeign = ({ tenantId, extensionId }: ExistingLicense): boolean =>
    tenantId !== owner.tenantId || extensionId !== owner.extensionId;

  const decide = (line: Line): Decision<Line> => {
    const { digests, order } = line;
    const ofCode = digests.flatMap((digest) => byCode.get(digest) ?? [])[0];
    const ofOrder = order === null ? undefined : byOrder.get(order);
    const sameCode = digests.flatMap((digest) => seen.get(digest) ?? [])[0];
    const sameOrder = order === null ? undefined : seen.get(orderKey(order));
    const existing = ofCode ?? (sameCode === undefined ? ofOrder : undefined);
    if (existing !== undefined && isForeign(existing)) return { kind: 'foreign', line };
    const isOfThisFile = ofCode === undefined && digests.length > 0 && isSince(existing, owner.since);
    if (existing !== undefined && !isOfThisFile) return { kind: 'exists', line, licenseId: existing.id, sameAs: null };
    const sameAs = sameCode ?? (digests.length === 0 ? sameOrder : undefined);
    if (sameAs !== undefined) return { kind: 'exists', line, licenseId: null, sameAs };
    const isFurther = isOfThisFile || sameOrder !== undefined;
    return { kind: 'new', line, order: isFurther ? furtherOrder(line) : order };
  };

  return lines.map((line) => {
    const decision = decide(line);
    if (decision.kind !== 'new') return decision;
    for (const key of [...line.digests, ...(line.order === null ? [] : [orderKey(line.order)])])
      if (!seen.has(key)) seen.set(key, line.line);
    return decision;
  });
}

const isSince = (license: ExistingLicense | undefined, since: Date): boolean =>
  license !== undefined && license.createdAt >= since;

const orderKey = (order: string): string => `order ${order}`;

/** The order of a further code of the same one: a number that follows from the code, so that it is the same whenever it is imported. */
const furtherOrder = ({ order, digests: [digest = ''] }: IdentifiedLine): string =>
  `${order}/${Number.parseInt(digest.slice(0, 8), 16)}`;
