import { useState, useSyncExternalStore, type ReactElement } from 'react';
import { answer, api, endSecondFactor, isSecondFactorAsked, onSecondFactorAsked, useWrite } from '../api';
import { Dialog, Field, Form } from '../ui';

/** Asks for a code of the second factor when the service wants one, and lets the call that waits go on. */
export function SecondFactorDialog(): ReactElement {
  const isAsked = useSyncExternalStore(onSecondFactorAsked, isSecondFactorAsked);
  return (
    <Dialog
      title="Show your second factor"
      description="This asks for a code again. What you were doing goes on after it."
      isOpen={isAsked}
      onClose={() => endSecondFactor(false)}
    >
      <Code />
    </Dialog>
  );
}

function Code(): ReactElement {
  const [code, setCode] = useState('');
  const verify = useWrite({
    write: () => answer(api.POST('/api/v1/auth/second-factor/verify', { body: { code: code.trim() } })),
    changes: [],
  });
  return (
    <Form
      label="Second factor"
      onSubmit={() => verify.mutate(undefined, { onSuccess: () => endSecondFactor(true) })}
      problem={verify.error}
      submit="Go on"
      isBusy={verify.isPending}
    >
      <Field
        label="Code"
        hint="Of your authenticator app, or a recovery code."
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onValue={setCode}
        fault={verify.error?.fault('code')}
      />
    </Form>
  );
}
