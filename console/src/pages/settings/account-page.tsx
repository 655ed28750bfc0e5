import { useState, type ReactElement, type ReactNode } from 'react';
import { answer, api, hasAnswered, usePages, useSignInMethods, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, Empty, Field, Form, Skeleton, Table, Time } from '../../ui';
import { SecondFactor, useSecondFactor } from './second-factor';
import { Facts, Section, Settings } from './settings';
import css from './settings.module.css';

/** The account of the person who is logged in. */
export function AccountPage(): ReactElement {
  const { user, tenant, role } = useSession();
  const { data: methods, problem } = useSignInMethods();
  const factor = useSecondFactor();
  return (
    <Settings title="Account">
      <Facts
        facts={[
          ['E-mail', user.email],
          ['Role', `${role} of ${tenant.name}`],
        ]}
      />
      {hasAnswered(methods, problem) ? (
        <>
          {methods?.password === true && <Password />}
          <SecondFactor />
          {hasAnswered(factor.data, factor.problem) &&
            (methods !== undefined && methods.oidc !== null ? <Identities below={<Sessions />} /> : <Sessions />)}
        </>
      ) : (
        <Skeleton label="account" lines={6} />
      )}
    </Settings>
  );
}

function Password(): ReactElement {
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useWrite({
    write: () => answer(api.POST('/api/v1/auth/password', { body: { currentPassword, newPassword } })),
    changes: [['sessions']],
    announcement: () => 'The password is changed. All other sessions have ended.',
  });
  const submit = (): void =>
    change.mutate(undefined, {
      onSuccess: () => {
        setCurrent('');
        setNew('');
      },
    });
  return (
    <Section title="Password" about="A new password ends all your other sessions.">
      <Form
        label="Password"
        onSubmit={submit}
        problem={change.error}
        submit="Change password"
        isBusy={change.isPending}
        kind="plain"
      >
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={currentPassword}
          onValue={setCurrent}
          fault={change.error?.fault('currentPassword')}
        />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          value={newPassword}
          onValue={setNew}
          fault={change.error?.fault('newPassword')}
        />
      </Form>
    </Section>
  );
}

function Identities({ below }: { readonly below: ReactNode }): ReactElement {
  const list = usePages<Schemas['LinkedIdentity']>(['identities'], (cursor, signal) =>
    answer(api.GET('/api/v1/auth/oidc/identities', { params: { query: { cursor } }, signal })),
  );
  const link = useWrite({
    write: () => answer(api.POST('/api/v1/auth/oidc/link', { body: { returnTo: '/settings/account' } })),
    changes: [],
  });
  const unlink = useWrite({
    write: (id: string) => answer(api.DELETE('/api/v1/auth/oidc/identities/{id}', { params: { path: { id } } })),
    changes: [['identities']],
    announcement: () => 'Unlinked.',
  });
  return (
    <>
      <Section title="Identity provider" about="Log in through the provider instead of with a password.">
        <Table
          caption="Linked identities"
          {...list.table}
          rowKey={({ id }) => id}
          refusal={unlink.error ?? link.error}
          empty={<p className={css.about}>No account is linked yet.</p>}
          columns={[
            { title: 'Provider', cell: ({ issuer }) => issuer },
            { title: 'Known there as', cell: ({ subject }) => <span className={css.broken}>{subject}</span> },
            { title: 'Linked', cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              title: 'Unlink',
              cell: ({ id, issuer }) => (
                <Button onClick={() => unlink.mutate(id)} aria-label={`Unlink ${issuer}`}>
                  Unlink
                </Button>
              ),
            },
          ]}
        />
        <div>
          <Button
            isBusy={link.isPending}
            onClick={() => link.mutate(undefined, { onSuccess: ({ url }) => window.location.assign(url) })}
          >
            Link an identity
          </Button>
        </div>
      </Section>
      {hasAnswered(list.items, list.problem) && below}
    </>
  );
}

function Sessions(): ReactElement {
  const list = usePages<Schemas['ActiveSession']>(['sessions'], (cursor, signal) =>
    answer(api.GET('/api/v1/auth/sessions', { params: { query: { cursor } }, signal })),
  );
  const end = useWrite({
    write: (id: string) => answer(api.DELETE('/api/v1/auth/sessions/{id}', { params: { path: { id } } })),
    changes: [['sessions']],
    announcement: () => 'The session has ended.',
  });
  const endOthers = useWrite({
    write: () => answer(api.DELETE('/api/v1/auth/sessions')),
    changes: [['sessions']],
    announcement: () => 'All other sessions have ended.',
  });
  return (
    <Section title="Sessions" about="Where you are logged in, in browsers and on the command line.">
      <Table
        caption="Sessions"
        {...list.table}
        rowKey={({ id }) => id}
        refusal={end.error ?? endOthers.error}
        empty={<Empty title="No sessions" />}
        columns={[
          {
            title: 'Where',
            cell: ({ name, device, country }) => (
              <span className={css.broken}>
                {name ?? device ?? 'Unknown browser'}
                {country !== null && `, ${country}`}
              </span>
            ),
          },
          { title: 'Last used', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
          {
            title: 'End',
            cell: ({ id, current, name, device }) =>
              current ? (
                'This session'
              ) : (
                <Button
                  onClick={() => end.mutate(id)}
                  aria-label={`End the session of ${name ?? device ?? 'a browser'}`}
                >
                  End
                </Button>
              ),
          },
        ]}
      />
      {(list.items?.length ?? 0) > 1 && (
        <div>
          <Button isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            End all others
          </Button>
        </div>
      )}
    </Section>
  );
}
