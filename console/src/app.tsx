import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Router } from 'wouter';
import { queryClient } from './api';
import { Frame } from './frame/frame';
import { aroundNav } from './leaving';
import { SignInPage } from './pages/sign-in/sign-in-page';
import { SessionProvider } from './session';
import { Announcements } from './ui/announcements';

/** The console. */
export function App(): ReactElement {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Router aroundNav={aroundNav}>
          <SessionProvider signIn={<SignInPage />}>
            <Frame />
          </SessionProvider>
        </Router>
        <Announcements />
      </QueryClientProvider>
    </CSPProvider>
  );
}
