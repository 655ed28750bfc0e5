import { useSyncExternalStore, type ReactElement } from 'react';
import { isLogInAsked, loggedInAgain, onLogInAsked } from '../api';
import { LogInForm } from '../pages/sign-in/log-in-form';
import { resumeSession, useSession } from '../session';
import { MustAnswer } from '../ui';

/** Asks for log-in when the session has ended: the page and what was typed stay, and the waiting calls continue. */
export function SessionEndedDialog(): ReactElement {
  const isAsked = useSyncExternalStore(onLogInAsked, isLogInAsked);
  const { user, tenant } = useSession();
  return (
    <MustAnswer
      isOpen={isAsked}
      title="Log in again"
      description="Your session has ended. Log in to continue; nothing on this page is lost."
    >
      <LogInForm
        email={user.email}
        onLoggedIn={(me) => {
          // The calls that wait belong to this person and tenant: a fresh document drops them for anybody else.
          const leave = (): void => window.location.assign('/');
          if (me.user.id !== user.id) leave();
          else void resumeSession(me, tenant.id).then(loggedInAgain, leave);
        }}
      />
    </MustAnswer>
  );
}
