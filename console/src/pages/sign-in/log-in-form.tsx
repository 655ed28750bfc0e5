import { useState, type ReactElement } from 'react';
import { anonymous, answer } from '../../api/client';
import { useSubmit, type Asked } from '../../api/plain';
import type { Schemas } from '../../api/schemas';
import { Field, Form } from '../../ui/field';
import { Skeleton } from '../../ui/page';
import { ProblemNote } from '../../ui/problem-note';
import css from './sign-in.module.css';

const CODE_PROBLEMS: ReadonlySet<string> = new Set(['second_factor_required', 'second_factor_invalid']);

interface LogInFormProps {
  /** Ways to log in at this service. */
  readonly methods: Asked<Schemas['SignInMethods']>;
  readonly onLoggedIn: (me: Schemas['Me']) => void;
  /** Of the person who is asked to log in again. */
  readonly email?: string;
  readonly onForgotten?: (email: string) => void;
  /** Called when the provider is opened, which is in a tab of its own then: this page stays. */
  readonly onElsewhere?: () => void;
}

/** Asks for e-mail and password, and for the code of the second factor if the service wants one; or sends to the identity provider. */
export function LogInForm(props: LogInFormProps): ReactElement {
  const { methods, onLoggedIn, email: known = '', onForgotten, onElsewhere } = props;
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const logIn = useSubmit(() =>
    answer(anonymous.POST('/api/v1/auth/login', { body: { email, password, ...(asksCode ? { code } : {}) } })),
  );
  const submit = (): void =>
    logIn.submit(onLoggedIn, ({ code: reason }) => {
      if (CODE_PROBLEMS.has(reason)) setAsksCode(true);
    });
  if (methods.data === undefined)
    return methods.problem === null ? (
      <Skeleton label="ways to log in" />
    ) : (
      <ProblemNote problem={methods.problem} onRetry={methods.retry} />
    );
  const { password: hasPassword, oidc } = methods.data;
  // A request for a code is no failure: the form then asks for it.
  const problem = logIn.error?.code === 'second_factor_required' ? null : logIn.error;
  return (
    <>
      {oidc !== null && (
        <a
          href={`/api/v1/auth/oidc?returnTo=${encodeURIComponent(window.location.pathname + window.location.search)}`}
          {...(onElsewhere !== undefined && { target: '_blank', rel: 'noreferrer', onClick: onElsewhere })}
        >
          Log in with {oidc}
          {onElsewhere !== undefined && ' (opens a new tab)'}
        </a>
      )}
      {hasPassword && (
        <Form label="Log in" onSubmit={submit} problem={problem} submit="Log in" isBusy={logIn.isPending}>
          <Field
            label="E-mail"
            type="email"
            autoComplete="username"
            autoFocus={known === ''}
            value={email}
            onValue={setEmail}
            fault={problem?.fault('email')}
          />
          <Field
            label="Password"
            type="password"
            autoComplete="current-password"
            value={password}
            onValue={setPassword}
            fault={problem?.fault('password')}
          />
          {asksCode && (
            <Field
              label="Code"
              hint="Six digits of your authenticator app, or a recovery code."
              autoComplete="one-time-code"
              autoFocus
              value={code}
              onValue={setCode}
            />
          )}
          {onForgotten !== undefined && (
            <button type="button" className={css.link} onClick={() => onForgotten(email)}>
              Forgotten password
            </button>
          )}
        </Form>
      )}
    </>
  );
}
