import { useState, type ReactElement } from 'react';
import { answer, api, useRead, useWrite } from '../../api';
import {
  Actions,
  Button,
  Caution,
  CopyField,
  Dialog,
  Field,
  Form,
  ProblemNote,
  SecondFactorField,
  Skeleton,
  Status,
} from '../../ui';
import { QrCode } from './qr-code';
import { Section } from './settings';
import css from './settings.module.css';

const CHANGES = [['second-factor'], ['sessions']] as const;

export const useSecondFactor = () =>
  useRead({
    queryKey: ['second-factor'],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/auth/second-factor', { signal })),
  });

/** The second factor: adding it, its recovery codes, removing it. */
export function SecondFactor(): ReactElement {
  const [open, setOpen] = useState<'add' | 'remove' | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { data, problem, retry } = useSecondFactor();
  const renew = useWrite({
    write: () => answer(api.POST('/api/v1/auth/second-factor/recovery-codes')),
    changes: CHANGES,
    announcement: () => 'You have new recovery codes. The old ones no longer work.',
  });
  if (data === undefined)
    return (
      <Section title="Second factor">
        {problem === null ? (
          <Skeleton label="second factor" lines={1} />
        ) : (
          <ProblemNote problem={problem} onRetry={retry} />
        )}
      </Section>
    );
  return (
    <Section
      title="Second factor"
      about="A code from an authenticator app, required at log-in and before sensitive actions."
    >
      <Status state={data.enabled ? 'live' : 'off'}>
        {data.enabled ? `On, ${data.recoveryCodesLeft} recovery codes left` : 'Off'}
      </Status>
      {renew.error !== null && <ProblemNote problem={renew.error} />}
      <Actions>
        {data.enabled ? (
          <>
            <Button
              isBusy={renew.isPending}
              onClick={() => renew.mutate(undefined, { onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes) })}
            >
              New recovery codes
            </Button>
            <Button kind="danger" onClick={() => setOpen('remove')}>
              Remove
            </Button>
          </>
        ) : (
          <Button onClick={() => setOpen('add')}>Add an authenticator app</Button>
        )}
      </Actions>
      {open === 'add' && (
        <Add
          onClose={() => setOpen(null)}
          onAdded={(added) => {
            setOpen(null);
            setCodes(added);
          }}
        />
      )}
      {open === 'remove' && <Remove onClose={() => setOpen(null)} />}
      <Dialog
        title="Recovery codes"
        description="Each logs you in once when the app is lost. They are shown only now: keep them where you keep passwords."
        isOpen={codes !== null}
        onClose={() => setCodes(null)}
      >
        <ul className={css.codes}>
          {codes?.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyField label="recovery codes" value={codes?.join(' ') ?? ''} />
        <Button kind="primary" onClick={() => setCodes(null)}>
          I have saved them
        </Button>
      </Dialog>
    </Section>
  );
}

interface AddProps {
  readonly onClose: () => void;
  readonly onAdded: (recoveryCodes: readonly string[]) => void;
}

function Add({ onClose, onAdded }: AddProps): ReactElement {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const begin = useWrite({
    write: () => answer(api.POST('/api/v1/auth/second-factor', { body: { password } })),
    changes: [],
  });
  const confirm = useWrite({
    write: () => answer(api.POST('/api/v1/auth/second-factor/confirm', { body: { code } })),
    changes: CHANGES,
    announcement: () => 'The second factor is on.',
  });
  const begun = begin.data;
  return (
    <Dialog
      title="Add an authenticator app"
      description={
        begun === undefined ? 'Your password first.' : 'Scan this with the app, then enter the code that it shows.'
      }
      isOpen
      onClose={onClose}
    >
      {begun === undefined ? (
        <Form key="begin" onSubmit={() => begin.mutate()} problem={begin.error} submit="Go on" isBusy={begin.isPending}>
          <Field
            label="Password"
            type="password"
            autoComplete="current-password"
            value={password}
            onValue={setPassword}
            fault={begin.error?.fault('password')}
          />
        </Form>
      ) : (
        <Form
          key="confirm"
          onSubmit={() => confirm.mutate(undefined, { onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes) })}
          problem={confirm.error}
          submit="Turn on"
          isBusy={confirm.isPending}
        >
          <QrCode text={begun.otpauthUrl} label="QR code for the authenticator app" />
          <CopyField label="secret to type instead" value={begun.secret} />
          <Field
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onValue={setCode}
            fault={confirm.error?.fault('code')}
          />
        </Form>
      )}
    </Dialog>
  );
}

function Remove({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const remove = useWrite({
    write: () => answer(api.POST('/api/v1/auth/second-factor/disable', { body: { password, code } })),
    changes: CHANGES,
    announcement: () => 'The second factor is removed.',
  });
  return (
    <Dialog title="Remove the second factor" isOpen onClose={onClose}>
      <Caution>From then on the password alone logs you in.</Caution>
      <Form
        onSubmit={() => remove.mutate(undefined, { onSuccess: onClose })}
        problem={remove.error}
        submit="Remove"
        isBusy={remove.isPending}
        kind="danger"
      >
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
        />
        <SecondFactorField value={code} onValue={setCode} />
      </Form>
    </Dialog>
  );
}
