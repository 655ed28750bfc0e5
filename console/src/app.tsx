import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, StrictMode, Suspense, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { PAGE_NOT_LOADED, Problem, queryClient, type Schemas } from './api';
import { PageBoundary } from './frame/error-boundary';
import { Frame } from './frame/frame';
import { aroundNav } from './leaving';
import { beginSession, SessionProvider } from './session';
import { Announcements } from './ui/announcements';

/** For a session that ends before the first page, which the first call did not tell. */
const SignInPage = lazy(() =>
  import('./pages/sign-in/sign-in-page').then(
    ({ SignInPage: component }) => ({ default: component }),
    () => Promise.reject(new Problem(PAGE_NOT_LOADED)),
  ),
);

/** The console. Until it has something to show, the placeholder of index.html stands where it will be. */
function App(): ReactElement {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Router aroundNav={aroundNav}>
          <PageBoundary page="">
            <Suspense>
              <SessionProvider signIn={<SignInPage onLoggedIn={beginSession} />}>
                <Frame />
              </SessionProvider>
            </Suspense>
          </PageBoundary>
        </Router>
        <Announcements />
      </QueryClientProvider>
    </CSPProvider>
  );
}

/** Puts the console on the page, for somebody who has just logged in or whom the first call names. */
export function showConsole(root: Element, me?: Schemas['Me']): void {
  if (me !== undefined) beginSession(me);
  // An error that is no fault of the console is shown, and leaves no trace.
  const onCaughtError = (thrown: unknown): void => {
    if (!(thrown instanceof Problem)) reportError(thrown);
  };
  createRoot(root, { onCaughtError }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
