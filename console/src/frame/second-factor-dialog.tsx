import { useState, useSyncExternalStore, type ReactElement } from 'react';
import { answer, api, endSecondFactor, isSecondFactorAsked, onSecondFactorAsked, useWrite } from '../api';
import { Dialog, Form, SecondFactorField } from '../ui';

/** Asks for a second-factor code when the service requires one, and then continues the waiting call. */
export function SecondFactorDialog(): ReactElement {
  const isAsked = useSyncExternalStore(onSecondFactorAsked, isSecondFactorAsked);
  return (
    <Dialog
      title="Confirm with your second factor"
      description="Enter a code to continue what you were doing."
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
      <SecondFactorField value={code} onValue={setCode} fault={verify.error?.fault('code')} />
    </Form>
  );
}
