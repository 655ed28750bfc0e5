import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import css from './ui.module.css';

interface PageHeaderProps {
  readonly title: string;
  /** One sentence below the title, where the title does not say it. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Beside the title. */
  readonly icon?: ReactNode;
  /** The page above this one. */
  readonly back?: { readonly href: string; readonly label: string };
}

/** The page's title, also of the browser's tab, and its main buttons. Every page has one. */
export function PageHeader({ title, children, actions, icon, back }: PageHeaderProps): ReactElement {
  useEffect(() => {
    document.title = `${title} · Pierhead`;
  }, [title]);
  return (
    <header className={css.header}>
      {icon}
      <div>
        {back !== undefined && (
          <Link href={back.href} className={css.back}>
            ← {back.label}
          </Link>
        )}
        <h1 id="page-title" tabIndex={-1}>
          {title}
        </h1>
        {children !== undefined && <p>{children}</p>}
      </div>
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
    </header>
  );
}

/** Text for an empty list: its purpose, and the way to create the first entry. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactElement {
  return (
    <div className={css.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** After so long, somebody wonders whether anything happens. */
const LATE_MS = 5_000;

/** Holds the place of what is loading, and says so when that takes long. */
export function Skeleton({ label, lines = 3 }: { readonly label: string; readonly lines?: number }): ReactElement {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div>
      <div role="status" aria-busy="true">
        <span className={css.visuallyHidden}>Loading: {label}</span>
        {Array.from({ length: lines }, (_, line) => (
          <div key={line} className={css.skeleton} />
        ))}
      </div>
      {/* Apart from what is busy, which screen readers keep to themselves. */}
      <p role="status" className={css.late}>
        {isLate && 'Still waiting for the service.'}
      </p>
    </div>
  );
}

/** Text for screen readers only. */
export function Hidden({ children }: { readonly children: ReactNode }): ReactElement {
  return <span className={css.visuallyHidden}>{children}</span>;
}

/** Buttons in a row. */
export function Actions({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className={css.actions}>{children}</div>;
}
