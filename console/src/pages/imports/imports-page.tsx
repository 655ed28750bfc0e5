import { useState, type ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import { answer, api, upload, useBrowserAsks, useExtensionChoices, usePages, useWrite } from '../../api';
import { useSession } from '../../session';
import { Cell, FileField, Form, number, PageHeader, percent, Detail, Select, Status, Table, Time } from '../../ui';
import { isMoving, nameOf, STATES, TOOLS, type FileImport, type Listed } from './import-words';
import css from './imports.module.css';

/** The imports of the last seven days, and how one begins. */
export function ImportsPage(): ReactElement {
  const { can } = useSession();
  const extensions = useExtensionChoices();
  const list = usePages<Listed>(
    ['license-imports'],
    (cursor, signal) => answer(api.GET('/api/v1/license-imports', { params: { query: { cursor } }, signal })),
    isMoving,
  );
  const nameOfExtension = (id: string): string => extensions.find((one) => one.id === id)?.name ?? '\u00a0';
  return (
    <>
      <PageHeader title="Imports" back={{ href: '/licenses', label: 'Licenses' }}>
        Bring the licenses that you sold with another tool. Buyers keep the codes that they have.
      </PageHeader>
      {can('licenses:write') && <Upload />}
      <section className={css.section} aria-labelledby="imports" data-cards>
        <h2 id="imports">Files of the last seven days</h2>
        <Table
          caption="Imports"
          {...list.table}
          rowKey={({ id }) => id}
          columns={[
            {
              title: 'File',
              cell: (one) => (
                <Cell>
                  <Link href={`/imports/${one.id}`}>{nameOf(one)}</Link>
                  <Detail>{nameOfExtension(one.extensionId)}</Detail>
                </Cell>
              ),
            },
            {
              title: 'State',
              cell: ({ state }) => <Status state={STATES[state][0]}>{STATES[state][1]}</Status>,
            },
            {
              title: 'Imported',
              cell: ({ state, created }) => (BEGUN.has(state) ? number(created) : '—'),
              isEnd: true,
            },
            { title: 'With a fault', cell: ({ faults }) => number(faults), isEnd: true },
            {
              title: 'Sent',
              cell: ({ createdAt, requestedBy }) => (
                <Cell>
                  <Time at={createdAt} />
                  <Detail>{requestedBy}</Detail>
                </Cell>
              ),
            },
          ]}
          empty={
            <Detail>No file yet. Each is listed until seven days after its last step, and can be continued.</Detail>
          }
        />
      </section>
    </>
  );
}

/** States in which licenses are or were made. */
const BEGUN: ReadonlySet<Listed['state']> = new Set(['running', 'done', 'canceled', 'failed']);

const BY_COLUMNS = 'any';
const PROFILES = [
  { value: BY_COLUMNS, label: 'Known by its columns' },
  ...Object.entries(TOOLS).map(([value, label]) => ({ value, label })),
];

/** Sends a file, and opens the page of its import. */
function Upload(): ReactElement {
  const [, navigate] = useLocation();
  const extensions = useExtensionChoices();
  const [extension, setExtension] = useState<string | null>(null);
  const [profile, setProfile] = useState(BY_COLUMNS);
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState(0);
  const only = extensions.length === 1 ? extensions[0]?.id : undefined;
  const chosen = extension ?? only ?? null;
  const send = useWrite({
    write: (body: File) => {
      const query = new URLSearchParams({ extension: chosen ?? '', ...(profile !== BY_COLUMNS && { profile }) });
      const type = 'text/csv; charset=utf-8';
      return upload<FileImport>({ path: `/license-imports?${query}`, body, type, onProgress: setShare });
    },
    changes: [['license-imports']],
    announcement: () => 'Sent the file. Nothing is imported yet.',
  });
  useBrowserAsks(send.isPending);
  return (
    <section className={css.section} aria-labelledby="import">
      <h2 id="import">Import a file</h2>
      <Form
        onSubmit={() => file !== null && send.mutate(file, { onSuccess: ({ id }) => navigate(`/imports/${id}`) })}
        problem={send.error}
        submit="Check the file"
        isBusy={send.isPending}
        isDisabled={chosen === null || file === null}
      >
        <Select
          label="Extension"
          value={chosen}
          onValue={setExtension}
          options={extensions.map(({ id, name }) => ({ value: id, label: name }))}
          fault={send.error?.fault('extension')}
        />
        <Select
          label="Tool"
          value={profile}
          onValue={setProfile}
          options={PROFILES}
          hint="Files of other tools are read by what you say of their columns."
        />
        <FileField
          label="File"
          accept=".csv,.tsv,text/csv"
          hint="The CSV that the tool exports, as it is: up to 100,000 lines and 100 MB."
          chosen={file?.name}
          onFile={(one) => {
            send.reset();
            setFile(one);
          }}
        />
        {send.isPending && (
          <label>
            Sending the file: {percent(share)}
            <progress className={css.progress} value={share} max={1} />
          </label>
        )}
      </Form>
    </section>
  );
}
