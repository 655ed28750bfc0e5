import { Fragment, useEffect, useRef, useState, type ReactElement } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { answer, api, asProblem, type Problem } from '../../api';
import { announce, counted, Dialog, DayField, Field, Form, number, Select } from '../../ui';
import {
  bulkRequestOf,
  changing,
  mostChanged,
  NEEDS,
  requestsOf,
  togetherOf,
  type Answer,
  type BulkRequest,
  type BulkTarget,
} from './bulk';
import { LastDay } from './last-day';
import { ownerOf } from './license-words';
import css from './licenses.module.css';

const ACTIONS: readonly { readonly value: BulkRequest['action']; readonly label: string }[] = [
  { value: 'suspend', label: 'Suspend' },
  { value: 'reinstate', label: 'Reinstate' },
  { value: 'extend', label: 'Extend the expiry' },
  { value: 'raise', label: 'Raise the device limit' },
  { value: 'revoke', label: 'Revoke for good' },
];

/** Previews a bulk change, and then makes it. After a failure it begins again when asked again, and leaves unchanged what is done. */
function useBulk(onDone: () => void) {
  const client = useQueryClient();
  const [preview, setPreview] = useState<Answer | null>(null);
  const [done, setDone] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
    };
  }, []);
  const post = (body: BulkRequest): Promise<Answer> => answer(api.POST('/api/v1/licenses/bulk', { body }));
  const run = async (request: BulkRequest): Promise<void> => {
    let changed = 0;
    setDone(0);
    // Closing the dialog stops all changes but those under way.
    for (const part of requestsOf(request))
      for (let cursor: string | null | undefined; cursor !== null && !isClosed.current;) {
        const page: Answer = await post(cursor === undefined ? part : { ...part, cursor });
        changed += page.items.filter(({ outcome }) => outcome === 'changed').length;
        setDone((before) => before + page.items.length);
        cursor = page.nextCursor;
      }
    announce(`Changed ${counted(changed, 'license')}.`);
    if (!isClosed.current) onDone();
  };
  const look = async (request: BulkRequest): Promise<void> => {
    const answers: Answer[] = [];
    for (const part of requestsOf(request)) answers.push(await post({ ...part, dryRun: true }));
    setPreview(togetherOf(answers));
  };
  const go = (request: BulkRequest): void => {
    setBusy(true);
    setProblem(null);
    const work = preview === null ? look(request) : run(request);
    void work
      .catch((thrown: unknown) => setProblem(asProblem(thrown)))
      .finally(() => {
        setBusy(false);
        void client.invalidateQueries({ queryKey: ['licenses'] });
      });
  };
  return { preview, done, isBusy, problem, go, forget: () => setPreview(null) };
}

interface BulkDialogProps {
  readonly of: BulkTarget;
  readonly onClose: () => void;
}

const describe = (of: BulkTarget): string =>
  `${'ids' in of ? 'The selected licenses' : 'All licenses that match the filters'}, a hundred at a time. Each change is recorded in the audit log.`;

/** Changes the chosen licenses, or all that match a filter, after a preview. */
export function BulkDialog({ of, onClose }: BulkDialogProps): ReactElement {
  const [action, setAction] = useState<BulkRequest['action']>('suspend');
  const [value, setValue] = useState('');
  const [typed, setTyped] = useState('');
  const { preview, done, isBusy, problem, go, forget } = useBulk(onClose);
  const change = (next: string): void => {
    setValue(next);
    forget();
  };
  const choose = (next: BulkRequest['action']): void => {
    setAction(next);
    change('');
  };
  const isConfirmed = action !== 'revoke' || typed.trim() === String(preview?.matched);
  const isReady = preview === null ? !NEEDS[action] || value !== '' : isConfirmed && mostChanged(preview) > 0;
  return (
    <Dialog title="Change many licenses" description={describe(of)} isOpen onClose={onClose}>
      <Form
        onSubmit={() => go(bulkRequestOf(action, value, of))}
        problem={problem}
        submit={preview === null ? 'Preview' : changing(preview)}
        isBusy={isBusy}
        isDisabled={!isReady}
        kind={action === 'revoke' ? 'danger' : 'primary'}
        onCancel={onClose}
      >
        <Select label="What to do" value={action} onValue={choose} options={ACTIONS} />
        {action === 'extend' && (
          <DayField label="New last day" value={value} onValue={change} fault={problem?.fault('expiresAt')} />
        )}
        {action === 'raise' && (
          <Field
            label="Devices"
            inputMode="numeric"
            value={value}
            onValue={change}
            fault={problem?.fault('maxActivations')}
          />
        )}
        {preview !== null && <Preview answer={preview} />}
        {preview !== null && action === 'revoke' && (
          <Field label={`Type ${preview.matched} to confirm`} value={typed} onValue={setTyped} autoComplete="off" />
        )}
        <p role="status">{done > 0 && `${number(done)} done.`}</p>
      </Form>
    </Dialog>
  );
}

/** Preview of the changes, by the first hundred. */
function Preview({ answer: { matched, items, nextCursor } }: { readonly answer: Answer }): ReactElement {
  const count = (outcome: string): string => number(items.filter((one) => one.outcome === outcome).length);
  const changed = items.filter(({ outcome }) => outcome === 'changed').slice(0, 20);
  return (
    <div className={css.preview} tabIndex={0} role="group" aria-label="Preview">
      <p>
        {counted(matched, 'matches', 'match')}. {nextCursor !== null && 'Of the first hundred: '}
        {count('changed')} to change, {count('unchanged')} to stay as before, {count('refused')} that cannot change.
      </p>
      <ul className={css.lines}>
        {changed.map(({ id, codeHint, buyerEmail, before, after }) => (
          <li key={id}>
            …{codeHint}, <bdi>{ownerOf({ buyerEmail })}</bdi>: <Difference before={before} after={after} />
          </li>
        ))}
      </ul>
    </div>
  );
}

type BulkState = Answer['items'][number]['before'];

function Expiry({ expiresAt }: Pick<BulkState, 'expiresAt'>): ReactElement {
  if (expiresAt === null) return <>never expires</>;
  return (
    <>
      until <LastDay expiresAt={expiresAt} />
    </>
  );
}

/** Preview of the changes to a license. */
function Difference({ before, after }: { readonly before: BulkState; readonly after: BulkState }): ReactElement {
  const parts = [
    before.status !== after.status && <>{`${before.status} → ${after.status}`}</>,
    before.expiresAt !== after.expiresAt && (
      <>
        <Expiry expiresAt={before.expiresAt} /> → <Expiry expiresAt={after.expiresAt} />
      </>
    ),
    before.maxActivations !== after.maxActivations && (
      <>{`${before.maxActivations} → ${after.maxActivations} devices`}</>
    ),
  ].filter((part) => part !== false);
  return (
    <>
      {parts.length === 0 && 'for another reason'}
      {parts.map((part, place) => (
        <Fragment key={place}>
          {place > 0 && ', '}
          {part}
        </Fragment>
      ))}
    </>
  );
}
