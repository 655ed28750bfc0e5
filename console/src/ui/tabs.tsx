import { useEffect, useRef, type ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import css from './ui.module.css';

interface TabLink {
  readonly href: string;
  readonly label: string;
}

/** The parts of a page as links, each with its own address. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly TabLink[] }): ReactElement {
  const [location] = useLocation();
  const nav = useRef<HTMLElement>(null);
  // If they are wider than a phone, the current one is in sight.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [location]);
  return (
    <nav ref={nav} className={css.tabs} aria-label={label}>
      {tabs.map(({ href, label: name }) => (
        <Link key={href} href={href} className={css.tab} aria-current={href === location ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
