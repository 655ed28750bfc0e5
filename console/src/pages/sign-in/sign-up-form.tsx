import { useState, type ReactElement } from 'react';
import { anonymous, answer } from '../../api/client';
import { useSubmit } from '../../api/plain';
import type { Schemas } from '../../api/schemas';
import { Field, Form } from '../../ui/field';

interface SignUpFormProps {
  readonly onSignedUp: (me: Schemas['Me']) => void;
  readonly action: string;
}

/** Creates an account with a tenant of its own. */
export function SignUpForm({ onSignedUp, action }: SignUpFormProps): ReactElement {
  const [input, setInput] = useState<Schemas['Signup']>({ email: '', password: '', tenantName: '' });
  const signUp = useSubmit(() => answer(anonymous.POST('/api/v1/auth/signup', { body: input })));
  const problem = signUp.error;
  const set = (field: keyof typeof input) => (value: string) => setInput({ ...input, [field]: value });
  return (
    <Form
      label={action}
      onSubmit={() => signUp.submit(onSignedUp)}
      problem={problem}
      submit={action}
      isBusy={signUp.isPending}
    >
      <Field
        label="Name of your studio or team"
        hint="Members and mails see it."
        autoComplete="organization"
        value={input.tenantName}
        onValue={set('tenantName')}
        fault={problem?.fault('tenantName')}
      />
      <Field
        label="E-mail"
        type="email"
        autoComplete="username"
        value={input.email}
        onValue={set('email')}
        fault={problem?.fault('email')}
      />
      <Field
        label="Password"
        type="password"
        hint="At least 10 characters."
        autoComplete="new-password"
        value={input.password}
        onValue={set('password')}
        fault={problem?.fault('password')}
      />
    </Form>
  );
}
