import { createContext, use, type ReactElement, type ReactNode } from 'react';
import { anonymous, answer, api, asProblem, dropToken, queryClient, useRead, type Schemas } from '../api';
import { ProblemNote, Skeleton } from '../ui';

export type Permission = Schemas['Me']['permissions'][number];

/** The person who is logged in, with the permissions in the current tenant of the session. */
type Session = Schemas['Me'] & { readonly can: (permission: Permission) => boolean };

const SessionContext = createContext<Session | null>(null);

/** The session of the person who is logged in; every page but those of sign-in has one. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('No session outside of SessionProvider.');
  return session;
}

const ME = ['me'] as const;

async function loadMe(): Promise<Schemas['Me'] | null> {
  // A person who was logged in is asked over the page, which stays.
  const service = queryClient.getQueryData(ME) == null ? anonymous : api;
  try {
    return await answer(service.GET('/api/v1/auth/me'));
  } catch (thrown) {
    if (asProblem(thrown).code === 'unauthenticated') return null;
    throw thrown;
  }
}

interface SessionProviderProps {
  readonly children: ReactNode;
  /** Content for visitors who are not logged in. */
  readonly signIn: ReactNode;
}

/** Shows its children to those who are logged in. */
export function SessionProvider({ children, signIn }: SessionProviderProps): ReactElement {
  const { data: me, problem, retry } = useRead({ queryKey: ME, queryFn: loadMe, staleTime: 60_000 });
  if (me === undefined)
    return problem === null ? (
      <Skeleton label="session" lines={1} />
    ) : (
      <ProblemNote problem={problem} onRetry={retry} />
    );
  if (me === null) return <>{signIn}</>;
  const session: Session = { ...me, can: (permission) => me.permissions.includes(permission) };
  // Another person or tenant begins with fresh pages.
  return (
    <SessionContext key={`${me.user.id} ${me.tenant.id}`} value={session}>
      {children}
    </SessionContext>
  );
}

/** Begins the session of somebody who has logged in: nothing that another person saw is shown. */
export function beginSession(me: Schemas['Me']): void {
  dropToken();
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
  queryClient.setQueryData(ME, me);
}

const atTenant = (tenantId: string): Promise<Schemas['Me']> =>
  answer(anonymous.POST('/api/v1/auth/tenant', { body: { tenantId } }));

/**
 * Continues in the same page after a log-in as the same person. A log-in begins at the tenant joined first, so the session is switched back to the one
 * that the page shows.
 * @throws Problem when the person is no longer a member of it
 */
export async function resumeSession(me: Schemas['Me'], tenantId: string): Promise<void> {
  const resumed = me.tenant.id === tenantId ? me : await atTenant(tenantId);
  dropToken();
  queryClient.setQueryData(ME, resumed);
}

/** Ends the session, here and at the service. */
export async function logOut(): Promise<void> {
  await answer(anonymous.POST('/api/v1/auth/logout')).catch((thrown: unknown) => {
    if (asProblem(thrown).code !== 'unauthenticated') throw thrown;
  });
  dropToken();
  // A fresh document: nothing of the session stays in memory.
  window.location.assign('/');
}

/** Switches to another tenant of the user. */
export async function switchTenant(tenantId: string): Promise<void> {
  beginSession(await atTenant(tenantId));
}
