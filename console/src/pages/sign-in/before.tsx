import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Schemas } from '../../api/schemas';
import { SignInPage } from './sign-in-page';

/** Shows the log-in page, without the rest of the console, until somebody has logged in. */
export function showSignIn(root: Element, onLoggedIn: (me: Schemas['Me']) => void): void {
  const page = createRoot(root);
  const goOn = (me: Schemas['Me']): void => {
    page.unmount();
    onLoggedIn(me);
  };
  page.render(
    <StrictMode>
      <SignInPage onLoggedIn={goOn} />
    </StrictMode>,
  );
}
