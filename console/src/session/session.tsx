import { createContext, use, type ReactElement, type ReactNode } from 'react';
import { anonymous, answer, api, asProblem, dropToken, keepToken, queryClient, useRead, type Schemas } from '../api';
import { rememberKnown, takeStart } from '../start';
import { Skeleton } from '../ui/page';
import { ProblemNote } from '../ui/problem-note';

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
/** Key of the extensions in the rail, which come with the first call. */
export const RAIL_EXTENSIONS = ['extensions', 'rail'] as const;

/** Takes from the first call what every page needs. @throws Problem */
async function fromStart(answered: Promise<Response>): Promise<Schemas['Me']> {
  const { me, token, extensions } = await answer<Schemas['ConsoleStart']>(
    answered.then(async (response) => {
      const body = (await response.json().catch(() => null)) as Schemas['ConsoleStart'];
      return response.ok ? { response, data: body } : { response, error: body };
    }),
  );
  keepToken(token);
  queryClient.setQueryData(RAIL_EXTENSIONS, extensions);
  return me;
}

async function loadMe(): Promise<Schemas['Me'] | null> {
  // A person who was logged in is asked over the page, which stays.
  const service = queryClient.getQueryData(ME) == null ? anonymous : api;
  const start = takeStart();
  try {
    const me = await (start === null ? answer(service.GET('/api/v1/auth/me')) : fromStart(start));
    rememberKnown(true);
    return me;
  } catch (thrown) {
    if (asProblem(thrown).code !== 'unauthenticated') throw thrown;
    rememberKnown(false);
    return null;
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
      <Skeleton label="session" lines={0} />
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
  // The first call knew nobody.
  void takeStart();
  rememberKnown(true);
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
  rememberKnown(false);
  // A fresh document: nothing of the session stays in memory.
  window.location.assign('/');
}

/** Switches to another tenant of the user. */
export async function switchTenant(tenantId: string): Promise<void> {
  beginSession(await atTenant(tenantId));
}
