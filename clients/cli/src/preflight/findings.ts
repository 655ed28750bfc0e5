import type { Schema } from '../api/service.js';
import { storeName, STORES } from '../stores.js';
import type { Style } from '../terminal/terminal.js';

/** A finding of a version that the service has, and what became of it. */
export type PushedFinding = Schema<'PushedFinding'>;

/** What a store does not accept in a package. */
export type Finding = Pick<PushedFinding, 'store' | 'code' | 'severity' | 'message' | 'file' | 'path' | 'source'> & {
  /** Null for what Mozilla's linter says, which holds nothing that could be overridden. */
  readonly id: string | null;
};

/** A finding as it is shown, with what became of it where the service knows that. */
export type Shown = Finding & Partial<Pick<PushedFinding, 'overriddenAt' | 'acceptedAt'>>;

const SEVERITIES: readonly Finding['severity'][] = ['refused', 'warning', 'note'];
const COLORS = { refused: 'red', warning: 'yellow', note: 'dim' } as const;

/** The stores in display order, the gravest first. Pure. */
export const inOrder = <One extends Pick<Finding, 'store' | 'severity'>>(findings: readonly One[]): readonly One[] =>
  STORES.flatMap((store) =>
    SEVERITIES.flatMap((severity) => findings.filter((one) => one.store === store && one.severity === severity)),
  );

/** What a person calls its state: one that holds nothing any more says why. Pure. */
export function wordOf(finding: Shown): string {
  if (finding.acceptedAt != null) return 'accepted before';
  return finding.overriddenAt == null ? finding.severity : 'overridden';
}

/** Whether a store refuses the package for it, as far as is known. Pure. */
export const isRefusal = (finding: Shown): boolean => wordOf(finding) === 'refused';

/** Findings in lines, one text for each store. Pure. */
export const rendered = (findings: readonly Shown[], style: Style): readonly string[] =>
  STORES.flatMap((store) => {
    const own = inOrder(findings).filter((one) => one.store === store);
    if (own.length === 0) return [];
    const head = own.some(isRefusal) ? `${storeName(store)} refuses this package:` : `${storeName(store)}:`;
    return [[head, ...own.flatMap((one) => linesOf(one, style))].join('\n')];
  });

function linesOf(finding: Shown, style: Style): readonly string[] {
  const { severity, message, source } = finding;
  const word = wordOf(finding);
  const place = placeOf(finding);
  return [
    `  ${style(word === severity ? COLORS[severity] : 'dim', word)}  ${message}`,
    `    ${place === null ? '' : `${place}  `}${style('dim', source)}`,
  ];
}

/** The file, and the place in it. Pure. */
export const placeOf = ({ file, path }: Pick<Finding, 'file' | 'path'>): string | null =>
  file === null || path === null ? file : `${file}: ${path}`;
