import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { answer, api, usePages, type Schemas } from '../api';
import { Empty, Table } from '../ui';
import { auditColumns } from './audit-columns';
import css from './audit.module.css';

interface HistoryProps {
  readonly subjectType: string;
  readonly subjectId: string;
  /** Key of the queries about the subject, whose changes are also changes of its history. */
  readonly queryKey: readonly string[];
}

/** What was done to something, by whom and when, for those who may read the audit log. */
export function History({ subjectType, subjectId, queryKey }: HistoryProps): ReactElement {
  const list = usePages<Schemas['AuditEntry']>([...queryKey, 'history'], (cursor, signal) =>
    answer(api.GET('/api/v1/audit', { params: { query: { subjectType, subjectId, limit: 20, cursor } }, signal })),
  );
  const log = (filter: Readonly<Record<string, string>>): string =>
    `/settings/audit?${new URLSearchParams(filter).toString()}`;
  return (
    <section className={css.section} aria-labelledby="history" data-cards>
      <h2 id="history">History</h2>
      <Table
        caption="History"
        {...list.table}
        rowKey={({ id }) => id}
        columns={auditColumns({ actionsOf: ({ id }) => log({ actor: id }) })}
        empty={<Empty title="No entries are kept" />}
      />
      <p>
        <Link href={log({ subject: subjectType, id: subjectId })}>Show it in the audit log</Link>
      </p>
    </section>
  );
}
