import { useState, type ReactElement, type ReactNode } from 'react';
import { anonymous, answer } from '../../api/client';
import { useAnswer, useSubmit } from '../../api/plain';
import type { Schemas } from '../../api/schemas';
import { Field, Form } from '../../ui/field';
import { PageHeader } from '../../ui/page';
import { WordMark } from '../../ui/word-mark';
import { LogInForm } from './log-in-form';
import { SignUpForm } from './sign-up-form';
import css from './sign-in.module.css';

type Asked = 'log-in' | 'sign-up' | 'forgotten';

interface SignInPageProps {
  readonly onLoggedIn: (me: Schemas['Me']) => void;
}

/** Shown to visitors who are not logged in. On a service without accounts, it creates the owner. */
export function SignInPage({ onLoggedIn }: SignInPageProps): ReactElement {
  const methods = useAnswer(() => answer(anonymous.GET('/api/v1/auth/methods')));
  const [chosen, setChosen] = useState<Asked>('log-in');
  const [email, setEmail] = useState('');
  if (methods.data?.firstRun === true && methods.data.signup)
    return (
      <Sheet title="Create the owner">
        <p>This service is new. The person who creates the first account owns it, and can invite others.</p>
        <SignUpForm onSignedUp={onLoggedIn} action="Create account" />
      </Sheet>
    );
  if (chosen === 'sign-up')
    return (
      <Sheet title="Create an account">
        <SignUpForm onSignedUp={onLoggedIn} action="Create account" />
        <Other label="Log in instead" onClick={() => setChosen('log-in')} />
      </Sheet>
    );
  if (chosen === 'forgotten')
    return (
      <Sheet title="Forgotten password">
        <ForgottenForm email={email} />
        <Other label="Back to log-in" onClick={() => setChosen('log-in')} />
      </Sheet>
    );
  return (
    <Sheet title="Log in">
      <LogInForm
        methods={methods}
        onLoggedIn={onLoggedIn}
        onForgotten={(typed) => {
          setEmail(typed);
          setChosen('forgotten');
        }}
      />
      {methods.data?.signup === true && <Other label="Create an account" onClick={() => setChosen('sign-up')} />}
    </Sheet>
  );
}

function Sheet({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <main className={css.page}>
      <div>
        <WordMark />
        <PageHeader title={title} />
      </div>
      {children}
    </main>
  );
}

function Other({ label, onClick }: { readonly label: string; readonly onClick: () => void }): ReactElement {
  return (
    <p className={css.other}>
      <button type="button" className={css.link} onClick={onClick}>
        {label}
      </button>
    </p>
  );
}

/** Asks for a link that sets a new password; the answer does not tell whether there is an account. */
function ForgottenForm({ email: known }: { readonly email: string }): ReactElement {
  const [email, setEmail] = useState(known);
  const request = useSubmit(() => answer(anonymous.POST('/api/v1/auth/password/reset-request', { body: { email } })));
  if (request.isSuccess)
    return (
      <p role="status">
        If <bdi>{email}</bdi> has an account, a link to set a new password is on its way. It works for a short time,
        once.
      </p>
    );
  return (
    <Form
      label="Forgotten password"
      onSubmit={() => request.submit()}
      problem={request.error}
      submit="Send a link"
      isBusy={request.isPending}
    >
      <Field
        label="E-mail"
        type="email"
        autoComplete="username"
        autoFocus={known === ''}
        value={email}
        onValue={setEmail}
        fault={request.error?.fault('email')}
      />
    </Form>
  );
}
