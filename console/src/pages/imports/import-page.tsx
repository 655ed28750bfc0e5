import { useState, type ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import { answer, api, asProblem, fetchFile, useExtensionChoices, useRead, useWrite } from '../../api';
import type { PageProps } from '../../page-props';
import { useSession } from '../../session';
import {
  Actions,
  Button,
  Cell,
  Dialog,
  Form,
  counted,
  number,
  PageHeader,
  ProblemNote,
  saveFile,
  Skeleton,
  Status,
  Table,
  Time,
} from '../../ui';
import { isMoving, isOpen, nameOf, sayingOf, STATES, type FileImport } from './import-words';
import css from './imports.module.css';
import { ReadingForm } from './reading-form';

const BACK = { href: '/imports', label: 'Imports' };

/** One import: what it would do or did, how its file is read, and what can be done. */
export function ImportPage({ params: { id = '' } }: PageProps): ReactElement {
  const { can } = useSession();
  const {
    data: file,
    problem,
    retry,
  } = useRead(
    {
      queryKey: ['license-imports', id],
      queryFn: ({ signal }) => answer(api.GET('/api/v1/license-imports/{id}', { params: { path: { id } }, signal })),
    },
    isMoving,
  );
  const extensions = useExtensionChoices();
  if (file === undefined)
    return (
      <>
        <PageHeader title="Import" back={BACK} />
        {problem === null ? <Skeleton label="import" lines={6} /> : <ProblemNote problem={problem} onRetry={retry} />}
      </>
    );
  const mayWrite = can('licenses:write');
  const extension = extensions.find((one) => one.id === file.extensionId);
  return (
    <>
      <PageHeader title={nameOf(file)} back={BACK} actions={mayWrite && <Steps file={file} />}>
        {extension !== undefined && (
          <>
            For{' '}
            <Link href={`/licenses?extension=${extension.id}`}>
              <bdi>{extension.name}</bdi>
            </Link>
            .{' '}
          </>
        )}
        Sent <Time at={file.createdAt} />
        {file.requestedBy !== null && (
          <>
            {' '}
            by <bdi>{file.requestedBy}</bdi>
          </>
        )}
        . The file is deleted <Time at={file.expiresAt} />.
      </PageHeader>
      {problem !== null && <ProblemNote problem={problem} onRetry={retry} />}
      <Outcome file={file} />
      {file.faults > 0 && <Faults file={file} />}
      {mayWrite && file.codes > 0 && !isMoving(file) && <Codes file={file} />}
      {mayWrite && isOpen(file) && <ReadingForm file={file} />}
    </>
  );
}

/** What is true now: the state, how far it is, and the figures. */
function Outcome({ file }: { readonly file: FileImport }): ReactElement {
  const { state, lines, done, created, existing, skipped, faults, codes, notes } = file;
  const isPlan = state === 'checking' || state === 'ready';
  const figures: readonly (readonly [string, number])[] = [
    [isPlan ? 'To import' : 'Imported', created],
    ['Exist already', existing],
    ['Left out', skipped],
    ['With a fault', faults],
    ...(codes > 0 ? [['New codes', codes] as const] : []),
  ];
  return (
    <section className={css.section} aria-label="Outcome">
      <div role="status">
        <Status state={STATES[state][0]}>{STATES[state][1]}</Status>
        <p>{sayingOf(file)}</p>
      </div>
      {isMoving(file) && (
        <label>
          {number(done)} of {counted(lines, 'line')}
          <progress className={css.progress} value={done} max={Math.max(lines, 1)} />
        </label>
      )}
      {state !== 'unread' && state !== 'uploading' && (
        <dl className={css.facts}>
          {figures.map(([name, count]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{number(count)}</dd>
            </div>
          ))}
        </dl>
      )}
      {notes.length > 0 && (
        <ul className={css.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What can be done with an import now. */
function Steps({ file }: { readonly file: FileImport }): ReactElement {
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const { id, state, created, faults, codes } = file;
  const path = { params: { path: { id } } };
  const start = useWrite({
    write: () => answer(api.POST('/api/v1/license-imports/{id}/start', { ...path, body: { skipFaults: faults > 0 } })),
    changes: [['license-imports']],
    announcement: () => 'The import has begun.',
  });
  const stop = useWrite({
    write: () => answer(api.POST('/api/v1/license-imports/{id}/cancel', path)),
    changes: [['license-imports'], ['licenses']],
    announcement: () => 'The import was stopped.',
  });
  const remove = useWrite({
    write: () => answer(api.DELETE('/api/v1/license-imports/{id}', path)),
    changes: [['license-imports', 'pages']],
    announcement: () => 'Deleted the import. Its licenses stay.',
  });
  const problem = start.error ?? stop.error;
  const close = (): void => {
    remove.reset();
    setDeleting(false);
  };
  return (
    <>
      {state === 'ready' && created > 0 && (
        <Button kind="primary" isBusy={start.isPending} onClick={() => start.mutate()}>
          Import {faults > 0 && 'the other '}
          {counted(created, 'license')}
        </Button>
      )}
      {(state === 'running' || state === 'checking') && (
        <Button isBusy={stop.isPending} onClick={() => stop.mutate()}>
          Stop
        </Button>
      )}
      {state !== 'running' && <Button onClick={() => setDeleting(true)}>Delete</Button>}
      {problem !== null && <ProblemNote problem={problem} />}
      <Dialog
        title="Delete the import"
        description={
          codes > 0
            ? 'The licenses that it made stay. Its new codes can be saved no longer.'
            : 'The file is deleted. Licenses that the import made stay.'
        }
        isOpen={isDeleting}
        onClose={close}
      >
        <Form
          onSubmit={() => remove.mutate(undefined, { onSuccess: () => navigate('/imports') })}
          problem={remove.error}
          submit="Delete"
          kind="danger"
          isBusy={remove.isPending}
          onCancel={close}
        />
      </Dialog>
    </>
  );
}

interface SaveProps {
  readonly file: FileImport;
  readonly what: 'faults' | 'codes';
  readonly children: string;
}

/** Saves a part of the result as CSV. */
function Save({ file: { id }, what, children }: SaveProps): ReactElement {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const save = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      const csv = await fetchFile(`/api/v1/license-imports/${id}/${what}`);
      saveFile(await csv.blob(), `${what}.csv`);
    } catch (thrown) {
      setFault(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Actions>
        <Button isBusy={isBusy} onClick={() => void save()}>
          {children}
        </Button>
      </Actions>
      {fault !== null && <ProblemNote problem={asProblem(fault)} onRetry={save} />}
    </>
  );
}

/** The first lines that cannot be imported, and why. */
function Faults({ file }: { readonly file: FileImport }): ReactElement {
  const { firstFaults, faults } = file;
  return (
    <section className={css.section} aria-labelledby="faults" data-cards>
      <h2 id="faults">Lines that cannot be imported</h2>
      <Table
        caption="Lines that cannot be imported"
        rows={firstFaults}
        rowKey={({ line, message }) => `${line} ${message}`}
        columns={[
          { title: 'Line', cell: ({ line }) => `Line ${number(line)}` },
          { title: 'Why', cell: ({ message }) => <Cell>{message}</Cell> },
        ]}
        empty={null}
      />
      {faults > firstFaults.length && firstFaults.length > 0 && <p>And {number(faults - firstFaults.length)} more.</p>}
      {!isMoving(file) && <Save {...{ file, what: 'faults' }}>Save all as CSV</Save>}
    </section>
  );
}

/** The codes of lines that had none. */
function Codes({ file }: { readonly file: FileImport }): ReactElement {
  return (
    <section className={css.section} aria-labelledby="codes">
      <h2 id="codes">New codes</h2>
      <p>
        Lines without a code got one. The new codes were not mailed: save them, and pass them on. They are kept until
        the file is deleted.
      </p>
      <Save {...{ file, what: 'codes' }}>Save the codes as CSV</Save>
    </section>
  );
}
