import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Problem, type Schemas } from '../../api';
import { Button, ConfirmByName, Dialog, Form } from '../../ui';
import { ChangeDialog } from './change-dialog';
import { DeleteLicense } from './delete-license';
import { stepsFor, type Step } from './license-words';
import { NewCode } from './new-code';

/** Answer to a step; a new code is only here. */
type StepResult = Schemas['License'] & { readonly code?: string };

type ConfirmedStep = Exclude<Step, 'change' | 'delete'>;

const BUTTONS: Readonly<Record<Step, string>> = {
  change: 'Change',
  resend: 'Mail a new code',
  rotate: 'Replace the code',
  reinstate: 'Reinstate',
  suspend: 'Suspend',
  revoke: 'Revoke',
  delete: 'Delete',
};

/** The names of the steps, and their effects. */
const STEPS = {
  suspend: {
    title: 'Suspend the license',
    what: 'Its devices stop working at their next check, until you reinstate it.',
    button: 'Suspend',
    said: 'Suspended the license.',
  },
  reinstate: {
    title: 'Reinstate the license',
    what: 'Its devices work again at their next check.',
    button: 'Reinstate',
    said: 'Reinstated the license.',
  },
  rotate: {
    title: 'Replace the code',
    what: 'The old code seats no device from now on. Devices that hold a seat work with it for the days that the extension’s settings allow, and ask for the new code then. You get the new code here; no mail is sent.',
    button: 'Replace the code',
    said: 'Replaced the code.',
  },
  resend: {
    title: 'Mail a new code',
    what: 'The code is not stored, so the buyer gets a new one by mail. The old code seats no device from now on; devices that hold a seat work with it for the days that the extension’s settings allow.',
    button: 'Mail a new code',
    said: 'A mail with a new code is on its way.',
  },
} as const;

/** The step that takes another one back. A revoked license stays so, and a replaced code is known to nobody. */
const UNDONE_BY: Partial<Readonly<Record<ConfirmedStep, ConfirmedStep>>> = {
  suspend: 'reinstate',
  reinstate: 'suspend',
};

interface LicenseActionsProps {
  readonly license: Schemas['LicenseWithDevices'];
  readonly etag: string | null;
}

/** The buttons of a license, and what each asks before it does something. */
export function LicenseActions({ license, etag }: LicenseActionsProps): ReactElement {
  const [step, setStep] = useState<Step | null>(null);
  const [code, setCode] = useState<string | null>(null);
  const params = { path: { id: license.id } };
  const act = useWrite<ConfirmedStep, StepResult>({
    write: (wanted): Promise<StepResult> => {
      switch (wanted) {
        case 'suspend':
          return answer(api.POST('/api/v1/licenses/{id}/suspend', { params }));
        case 'reinstate':
          return answer(api.POST('/api/v1/licenses/{id}/reinstate', { params }));
        case 'revoke':
          return answer(api.POST('/api/v1/licenses/{id}/revoke', { params }));
        case 'rotate':
          return answer(api.POST('/api/v1/licenses/{id}/rotate', { params }));
        case 'resend':
          return answer(api.POST('/api/v1/licenses/{id}/resend', { params }));
      }
    },
    changes: [['licenses']],
    announcement: (_, wanted) => (wanted === 'revoke' ? 'Revoked the license.' : STEPS[wanted].said),
    undo: (wanted) => {
      const back = UNDONE_BY[wanted];
      return back === undefined ? undefined : () => act.mutate(back);
    },
  });
  const close = (): void => {
    act.reset();
    setStep(null);
  };
  const run = (wanted: ConfirmedStep): void =>
    act.mutate(wanted, {
      onSuccess: (made) => {
        close();
        if (wanted === 'rotate') setCode(made.code ?? null);
      },
    });
  const state = { isBusy: act.isPending, problem: act.error, onClose: close };
  const isPlain = !(step === 'revoke' || step === 'change' || step === 'delete');
  return (
    <>
      {stepsFor(license).map((one) => (
        <Button
          key={one}
          {...(one === 'revoke' || one === 'delete' ? { kind: 'danger' } : {})}
          onClick={() => setStep(one)}
        >
          {BUTTONS[one]}
        </Button>
      ))}
      <PlainStep step={isPlain ? step : null} onConfirm={run} {...state} />
      <ConfirmByName
        title="Revoke the license"
        description="Its devices stop working at their next check. This is final: a revoked license cannot be reinstated."
        name={license.codeHint}
        action="Revoke the license"
        isOpen={step === 'revoke'}
        onConfirm={() => run('revoke')}
        {...state}
      />
      {step === 'delete' && <DeleteLicense license={license} etag={etag} onClose={close} />}
      {step === 'change' && <ChangeDialog license={license} etag={etag} onClose={close} />}
      <NewCode code={code} onClose={() => setCode(null)} />
    </>
  );
}

interface PlainStepProps {
  readonly step: keyof typeof STEPS | null;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  readonly onConfirm: (step: keyof typeof STEPS) => void;
  readonly onClose: () => void;
}

/** Explains the effect of a step before it is taken. */
function PlainStep({ step, isBusy, problem, onConfirm, onClose }: PlainStepProps): ReactElement | null {
  // Stays mounted while it closes, so that the focus returns to what opened it.
  const [last, setLast] = useState(step);
  if (step !== null && step !== last) setLast(step);
  const { title, what, button } = STEPS[step ?? last ?? 'suspend'];
  return (
    <Dialog title={title} description={what} isOpen={step !== null} onClose={onClose}>
      <Form
        onSubmit={() => step !== null && onConfirm(step)}
        problem={problem}
        submit={button}
        isBusy={isBusy}
        onCancel={onClose}
      />
    </Dialog>
  );
}
