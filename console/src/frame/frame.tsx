import { Suspense, useEffect, useRef, type ReactElement, type RefObject } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, Route, Switch, useLocation } from 'wouter';
import { answer, api, useLive } from '../api';
import { NOT_FOUND, PAGES, RAIL } from '../routes';
import { useSession } from '../session';
import { Skeleton } from '../ui';
import { PageBoundary } from './error-boundary';
import { OfflineBanner } from './offline-banner';
import { Search } from './search';
import { SecondFactorDialog } from './second-factor-dialog';
import { SessionEndedDialog } from './session-ended-dialog';
import { UserMenu } from './user-menu';
import css from './frame.module.css';

/** How many extensions the rail names; the home page has all. */
const IN_RAIL = 12;

const isBelow = (location: string, href: string): boolean =>
  href === '/' ? location === '/' : location === href || location.startsWith(`${href}/`);

const useRailExtensions = () =>
  useQuery({
    queryKey: ['extensions', 'rail'],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/extensions', { params: { query: { limit: IN_RAIL } }, signal })),
    staleTime: 60_000,
  });

function ExtensionLinks({ location }: { readonly location: string }): ReactElement | null {
  const { data } = useRailExtensions();
  if (data === undefined || data.items.length === 0) return null;
  return (
    <ul className={css.sub}>
      {data.items.map(({ id, name }) => (
        <li key={id}>
          <Link
            href={`/extensions/${id}`}
            className={css.link}
            title={name}
            aria-current={isBelow(location, `/extensions/${id}`) ? 'page' : undefined}
          >
            <span className={css.name}>{name}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Rail(): ReactElement {
  const { can } = useSession();
  const [location] = useLocation();
  const { isLoading } = useRailExtensions();
  // What stands below the extensions comes with them, so that nothing moves when they arrive.
  const links = RAIL.filter(({ needs }) => needs === undefined || can(needs)).slice(0, isLoading ? 1 : undefined);
  const hasExtensionPage = PAGES.some(({ path }) => path === '/extensions/:id');
  return (
    <nav className={css.rail} aria-label="Console">
      <UserMenu />
      <Search />
      <ul className={css.list}>
        {links.map(({ href, label, icon: Icon }) => (
          <li key={href}>
            <Link href={href} className={css.link} aria-current={isBelow(location, href) ? 'page' : undefined}>
              <Icon />
              <span className={css.name}>{label}</span>
            </Link>
            {href === '/' && hasExtensionPage && <ExtensionLinks location={location} />}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Moves the focus to the page that was opened, and begins it at its top. */
function useArrival(location: string): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [location]);
  return main;
}

/** The rail, and the page of the address. */
export function Frame(): ReactElement {
  useLive();
  const [location] = useLocation();
  const main = useArrival(location);
  const NotFound = NOT_FOUND;
  return (
    <>
      <a href="#main" className={css.skip}>
        Skip to the page
      </a>
      <div className={css.frame}>
        <Rail />
        <div>
          <OfflineBanner />
          <main id="main" ref={main} tabIndex={-1} className={css.main}>
            <PageBoundary page={location}>
              <Suspense fallback={<Skeleton label="page" lines={6} />}>
                <Switch>
                  {PAGES.map(({ path, page: Page }) => (
                    <Route key={path} path={path}>
                      {(params) => <Page params={params as Readonly<Record<string, string>>} />}
                    </Route>
                  ))}
                  <Route>
                    <NotFound />
                  </Route>
                </Switch>
              </Suspense>
            </PageBoundary>
          </main>
        </div>
      </div>
      <SecondFactorDialog />
      <SessionEndedDialog />
    </>
  );
}
