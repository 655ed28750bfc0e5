import { useState, type ReactElement } from 'react';
import { answer, api, asProblem, useExtensionChoices, useWrite, type Schemas } from '../../api';
import { announce, Dialog, FileField, Form, number, Select, TextArea } from '../../ui';
import css from './licenses.module.css';

type LicenseImport = Schemas['LicenseImport'];

const licenses = (count: number): string => `${number(count)} license${count === 1 ? '' : 's'}`;

interface ImportDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Sends a file. @throws Problem */
const upload = (extension: string, csv: string, dryRun: boolean): Promise<LicenseImport> =>
  answer(
    api.POST('/api/v1/licenses/import', {
      params: { query: { extension, dryRun } },
      headers: { 'content-type': 'text/csv; charset=utf-8' },
      body: csv,
      bodySerializer: (body) => body,
    }),
  );

/** Imports licenses of another tool: first a preview, then the same for good. */
export function ImportDialog({ isOpen, onClose }: ImportDialogProps): ReactElement {
  const extensions = useExtensionChoices();
  const [extension, setExtension] = useState<string | null>(null);
  const [csv, setCsv] = useState('');
  const [result, setResult] = useState<LicenseImport | null>(null);
  const run = useWrite({
    write: (dryRun: boolean) => upload(extension ?? '', csv, dryRun),
    changes: [['licenses']],
    announcement: (made) =>
      made.dryRun ? 'Read the file. Nothing has changed yet.' : `Imported ${licenses(made.created)}.`,
  });
  const close = (): void => {
    run.reset();
    setCsv('');
    setResult(null);
    onClose();
  };
  const change = (text: string): void => {
    setCsv(text);
    setResult(null);
  };
  const read = (file: File): void => {
    file.text().then(change, (thrown: unknown) => announce(asProblem(thrown).message));
  };
  const isReady = result?.dryRun === true && result.created > 0;
  return (
    <Dialog
      title="Import licenses"
      description="Each line makes a license. Buyers keep the codes that they have; no mail is sent. Lines whose license exists change nothing."
      isOpen={isOpen}
      onClose={close}
    >
      <Form
        onSubmit={() => run.mutate(!isReady, { onSuccess: setResult })}
        problem={run.error}
        submit={result?.dryRun === false ? null : isReady ? `Import ${licenses(result.created)}` : 'Preview'}
        isBusy={run.isPending}
        isDisabled={extension === null || csv === '' || (result !== null && !isReady)}
        onCancel={close}
        cancel={result?.dryRun === false ? 'Done' : 'Cancel'}
      >
        <Select
          label="Extension"
          value={extension}
          onValue={(id) => {
            setExtension(id);
            setResult(null);
          }}
          options={extensions.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <FileField label="File" accept=".csv,text/csv" onFile={read} />
        <TextArea
          label="Lines"
          value={csv}
          onValue={change}
          spellCheck={false}
          hint="The first line names the columns: email and tier, and code or order; also status, expiresAt, maxActivations."
        />
        {result !== null && <Outcome result={result} />}
      </Form>
    </Dialog>
  );
}

/** The result for each line, or what it would be. */
function Outcome({ result }: { readonly result: LicenseImport }): ReactElement {
  const faults = result.lines.filter(({ outcome }) => outcome === 'fault');
  const codes = result.lines.filter(({ code }) => code !== null);
  return (
    <div className={css.preview} tabIndex={0} role="group" aria-label="Result for each line">
      <p>
        {number(result.created)} {result.dryRun ? 'to import' : 'imported'}, {number(result.existing)} already exist,{' '}
        {number(result.faults)} with a fault.
      </p>
      <ul className={css.lines}>
        {faults.map(({ line, message }) => (
          <li key={line}>
            Line {line}: {message}
          </li>
        ))}
        {codes.map(({ line, code }) => (
          <li key={line}>
            Line {line}: new code <code>{code}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
