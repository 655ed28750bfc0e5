import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../api';
import { Detail, exact, Time, wordsOf, type Column } from '../ui';
import { PlanName } from '../plans';
import css from './audit.module.css';
import { subjectHref } from './subject-href';

type Entry = Schemas['AuditEntry'];

/** `trust_rule.created` as “Trust rule created”; a tenant is called a workspace, as everywhere in the console. */
export const entryWords = (code: string): string => {
  const said = code.replace(/^tenant\b/, 'workspace').replaceAll(/[_.]/g, ' ');
  return said.slice(0, 1).toUpperCase() + said.slice(1);
};

/**
 * The columns of a table of audit entries.
 * @param links the address of everything that an actor did, and of everything that happened to a subject; both as the log filters them
 * @param links.historyOf left out where the table is of one subject
 */
export const auditColumns = (links: {
  readonly actionsOf: (actor: Entry['actor']) => string;
  readonly historyOf?: (entry: Entry) => string;
}): readonly Column<Entry>[] => [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    title: 'Who',
    cell: ({ actor, address, country }) => (
      <>
        <div className={css.broken}>
          <Link href={links.actionsOf(actor)}>{actor.name}</Link>
        </div>
        <Detail>
          {[actor.role ?? entryWords(actor.kind).toLowerCase(), address, country].filter(Boolean).join(' · ')}
        </Detail>
      </>
    ),
  },
  {
    title: 'What',
    cell: (entry) => (
      <>
        {entryWords(entry.action)}
        {links.historyOf !== undefined && (
          <Detail>
            <SubjectName entry={entry} />
            <Link
              href={links.historyOf(entry)}
              aria-label={`History of ${entry.subject.name ?? entryWords(entry.subject.type).toLowerCase()}`}
            >
              History
            </Link>
          </Detail>
        )}
      </>
    ),
  },
  { title: 'Change', cell: (entry) => <Change entry={entry} /> },
];

/** The name of a subject, which leads to its page, before the link to its history. */
function SubjectName({ entry }: { readonly entry: Entry }): ReactNode {
  const href = subjectHref(entry);
  const name = entry.subject.name ?? (href === null ? null : 'Open');
  return (
    name !== null && (
      <>
        <bdi>{href === null ? name : <Link href={href}>{name}</Link>}</bdi> ·{' '}
      </>
    )
  );
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A time as the API writes it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A value as a person reads it: a text as it was written, a time in the reader's time zone, a list by its entries. */
function shown(value: unknown): string {
  if (isNothing(value)) return 'nothing';
  if (typeof value === 'string') return TIME.test(value) ? exact(value) : value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return JSON.stringify(value);
}

function Value({ name, value }: { readonly name: string; readonly value: unknown }): ReactElement {
  return <bdi>{name === 'planId' && typeof value === 'string' ? <PlanName id={value} /> : shown(value)}</bdi>;
}

/** The fields that changed. */
function Change({ entry }: { readonly entry: Entry }): ReactElement {
  const before = (entry.before ?? {}) as Readonly<Record<string, unknown>>;
  const after = (entry.after ?? {}) as Readonly<Record<string, unknown>>;
  const isSet = (name: string): boolean => !isNothing(before[name]) || !isNothing(after[name]);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(isSet);
  return (
    <>
      {names.map((name) => (
        <div key={name} className={css.broken}>
          {name === 'planId' ? 'Plan' : wordsOf(name)}:{' '}
          {entry.before !== null && (
            <>
              <Value name={name} value={before[name]} /> →{' '}
            </>
          )}
          <Value name={name} value={after[name]} />
        </div>
      ))}
    </>
  );
}
