import { useEffect, useRef, useState, useSyncExternalStore, type ReactElement } from 'react';
import { anonymous, answer, isLogInAsked, loggedInAgain, onLogInAsked, useSignInMethods, type Schemas } from '../api';
import { LogInForm } from '../pages/sign-in/log-in-form';
import { resumeSession, useSession } from '../session';
import { MustAnswer } from '../ui';

/** Between two looks for a session that begins in another tab. */
const LOOK_MS = 3_000;

/** Asks for log-in when the session has ended: the page and what was typed stay, and the waiting calls continue. */
export function SessionEndedDialog(): ReactElement {
  const isAsked = useSyncExternalStore(onLogInAsked, isLogInAsked);
  return (
    <MustAnswer
      isOpen={isAsked}
      title="Log in again"
      description="Your session has expired. Log in to continue; nothing on this page is lost."
    >
      <LogInAgain />
    </MustAnswer>
  );
}

function LogInAgain(): ReactElement {
  const { user, tenant } = useSession();
  const isOver = useRef(false);
  const [isElsewhere, setElsewhere] = useState(false);
  const goOn = (me: Schemas['Me']): void => {
    if (isOver.current) return;
    isOver.current = true;
    // The calls that wait belong to this person and tenant: a fresh document drops them for anybody else.
    const leave = (): void => window.location.assign('/');
    if (me.user.id !== user.id) leave();
    else void resumeSession(me, tenant.id).then(loggedInAgain, leave);
  };
  useSessionElsewhere(isElsewhere, goOn);
  return (
    <LogInForm
      methods={useSignInMethods()}
      email={user.email}
      onLoggedIn={goOn}
      onElsewhere={() => setElsewhere(true)}
    />
  );
}

/** Notices a session that begins in another tab of this browser: when somebody comes back from there and, if it is expected, all the time. */
function useSessionElsewhere(isExpected: boolean, onFound: (me: Schemas['Me']) => void): void {
  const found = useRef(onFound);
  useEffect(() => {
    found.current = onFound;
  });
  useEffect(() => {
    const look = (): void =>
      void answer(anonymous.GET('/api/v1/auth/me')).then(
        (me) => found.current(me),
        // There is none yet.
        () => undefined,
      );
    window.addEventListener('focus', look);
    const timer = isExpected ? setInterval(look, LOOK_MS) : undefined;
    return () => {
      window.removeEventListener('focus', look);
      clearInterval(timer);
    };
  }, [isExpected]);
}
