import { Suspense, useEffect, useRef, type ReactElement, type RefObject } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { answer, api, useLive, useRead } from '../api';
import { NOT_FOUND, PAGES, preloadPage, RAIL } from '../routes';
import { RAIL_EXTENSIONS, useSession } from '../session';
import { classes, fullVersion, number, Skeleton } from '../ui';
import { PageBoundary } from './error-boundary';
import { OfflineBanner } from './offline-banner';
import { Search } from './search';
import { SecondFactorDialog } from './second-factor-dialog';
import { SessionEndedDialog } from './session-ended-dialog';
import { UserMenu } from './user-menu';
import css from './frame.module.css';

/** Number of extensions that the rail names besides the open one: the newest; the home page has all. */
const IN_RAIL = 12;
/** As many as are counted. */
const COUNTED = 100;

const isBelow = (location: string, href: string): boolean =>
  href === '/' ? location === '/' : location === href || location.startsWith(`${href}/`);

const useRailExtensions = () =>
  useRead({
    queryKey: RAIL_EXTENSIONS,
    queryFn: ({ signal }) => answer(api.GET('/api/v1/extensions', { params: { query: { limit: COUNTED } }, signal })),
    staleTime: 60_000,
  });

const NAMES = new Intl.Collator(undefined, { numeric: true });

/** The newest extensions and the open one by name, and how many there are; null while they are loaded. */
function useNamed(location: string) {
  const { data } = useRailExtensions();
  const [, open] = /^\/extensions\/([^/]+)/.exec(location) ?? [];
  const isBeyond = data !== undefined && open !== undefined && !data.items.some(({ id }) => id === open);
  // Its page asks for the same.
  const { data: beyond } = useRead({
    queryKey: ['extensions', open],
    enabled: isBeyond,
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/extensions/{id}', { params: { path: { id: open ?? '' } }, signal })),
  });
  if (data === undefined) return null;
  const { items, nextCursor } = data;
  const named = [
    ...items.filter(({ id }, index) => index < IN_RAIL || id === open),
    ...(isBeyond && beyond !== undefined ? [beyond] : []),
  ].toSorted((one, other) => NAMES.compare(one.name, other.name));
  const count = nextCursor === null ? number(items.length) : `${number(items.length)}+`;
  return { named, count: items.length > IN_RAIL ? count : null };
}

function ExtensionLinks({ location }: { readonly location: string }): ReactElement | null {
  const known = useNamed(location);
  if (known === null || known.named.length === 0) return null;
  return (
    <ul className={css.sub}>
      {known.named.map(({ id, name }) => (
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
      {known.count !== null && (
        <li>
          <Link href="/" className={classes(css.link, css.all)}>
            All {known.count} extensions
          </Link>
        </li>
      )}
    </ul>
  );
}

function Rail(): ReactElement {
  const { can, service } = useSession();
  const [location] = useLocation();
  const { isLoading } = useRailExtensions();
  // Items below the extensions appear with them, so that nothing moves when they arrive.
  const links = RAIL.filter(({ needs }) => needs === undefined || can(needs)).slice(0, isLoading ? 1 : undefined);
  return (
    <nav className={css.rail} aria-label="Console">
      <UserMenu />
      <Search />
      <ul className={css.list}>
        {links.map(({ href, also = [], label, short = label, icon: Icon }) => (
          <li key={href}>
            <Link
              href={href}
              className={css.link}
              aria-current={[href, ...also].some((one) => isBelow(location, one)) ? 'page' : undefined}
            >
              <Icon />
              <span className={classes(css.name, css.long)}>{label}</span>
              <span className={classes(css.name, css.short)}>{short}</span>
            </Link>
            {href === '/' && <ExtensionLinks location={location} />}
          </li>
        ))}
      </ul>
      <p className={classes(css.version, css.long)}>Pierhead {fullVersion(service)}</p>
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
    // A page itself leads to the part of it that the address names.
    if (window.location.hash !== '') return;
    window.scrollTo(0, 0);
    // A page that leads on by itself does not close the menu that somebody has just opened.
    if (document.querySelector('[aria-haspopup=menu][aria-expanded=true]') !== null) return;
    main.current?.focus({ preventScroll: true });
  }, [location]);
  return main;
}

/** Keeps the focus in the page when what had it is gone, such as the button of something that was deleted. */
function useFocus(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current: page } = main;
    let last: EventTarget | null = null;
    const remember = ({ target }: FocusEvent): void => {
      last = target;
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || !(last instanceof Element) || last.isConnected) return;
      last = null;
      page?.focus({ preventScroll: true });
    });
    page?.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      page?.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [main]);
}

preloadPage(window.location.pathname);

/** Loads the page behind a link while somebody is about to follow it. */
function usePreload(): void {
  useEffect(() => {
    const preload = ({ target }: Event): void => {
      const link = target instanceof Element ? target.closest('a') : null;
      if (link !== null && link.origin === window.location.origin) preloadPage(link.pathname);
    };
    document.addEventListener('pointerover', preload);
    document.addEventListener('focusin', preload);
    return () => {
      document.removeEventListener('pointerover', preload);
      document.removeEventListener('focusin', preload);
    };
  }, []);
}

/** The rail, and the page of the address. */
export function Frame(): ReactElement {
  useLive();
  usePreload();
  const [location] = useLocation();
  const main = useArrival(location);
  useFocus(main);
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
