import type { Schema } from '../api/service.js';
import { storeName, STORES } from '../stores.js';
import type { Style } from '../terminal/style.js';

/** A finding of a version that the service has, and what became of it. */
export type PushedFinding = Schema<'PushedFinding'>;

/** A fault that a store does not accept in a package. */
export type Finding = Pick<PushedFinding, 'store' | 'code' | 'severity' | 'message' | 'file' | 'path' | 'source'> & {
  /** Null for what Mozilla's linter says, which holds nothing that could be overridden. */
  readonly id: string | null;
};

/** A finding as it is shown, with what became of it where the service knows that. */
export type Shown = Finding & Partial<Pick<PushedFinding, 'overriddenAt'>>;

const COLORS = { refused: 'red', warning: 'yellow', note: 'dim' } as const satisfies Readonly<
  Record<Finding['severity'], string>
>;
/** The gravest first. */
export const SEVERITIES = Object.keys(COLORS) as readonly Finding['severity'][];

/** The stores in display order, the gravest first. Pure. */
export const inOrder = <One extends Pick<Finding, 'store' | 'severity'>>(findings: readonly One[]): readonly One[] =>
  STORES.flatMap((store) =>
    SEVERITIES.flatMap((severity) => findings.filter((one) => one.store === store && one.severity === severity)),
  );

/** Whether a store refuses the package for it, and nobody has overridden that. Pure. */
export const isRefusal = ({ severity, overriddenAt = null }: Shown): boolean =>
  severity === 'refused' && overriddenAt === null;

/** Findings in lines, one text for each store. @param linesAfter what follows each of them Pure. */
export const rendered = <One extends Shown>(
  findings: readonly One[],
  style: Style,
  linesAfter: (finding: One) => readonly string[] = () => [],
): readonly string[] =>
  STORES.flatMap((store) => {
    const own = inOrder(findings).filter((one) => one.store === store);
    if (own.length === 0) return [];
    const head = own.some(isRefusal) ? `${storeName(store)} refuses this package:` : `${storeName(store)}:`;
    return [[head, ...own.flatMap((one) => [...linesOf(one, style), ...linesAfter(one)])].join('\n')];
  });

function linesOf(finding: Shown, style: Style): readonly string[] {
  const { severity, message, source, overriddenAt = null } = finding;
  const place = placeOf(finding);
  return [
    `  ${overriddenAt === null ? style(COLORS[severity], severity) : style('dim', 'overridden')}  ${message}`,
    `    ${place === null ? '' : `${place}  `}${style('dim', source)}`,
  ];
}

/** The file, and the place in it. Pure. */
export const placeOf = ({ file, path }: Pick<Finding, 'file' | 'path'>): string | null =>
  file === null || path === null ? file : `${file}: ${path}`;
