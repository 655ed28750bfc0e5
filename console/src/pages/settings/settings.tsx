import type { ReactElement, ReactNode } from 'react';
import { Redirect } from 'wouter';
import { type Permission, useSession } from '../../session';
import { PageHeader, Tabs } from '../../ui';
import css from './settings.module.css';

interface Part {
  readonly href: string;
  readonly label: string;
  readonly needs?: Permission;
  readonly isForOperators?: boolean;
}

const PARTS: readonly Part[] = [
  { href: '/settings/account', label: 'Account' },
  { href: '/settings/credentials', label: 'Credentials', needs: 'credentials:read' },
  { href: '/settings/tokens', label: 'Access tokens', needs: 'tokens:read' },
  { href: '/settings/ci', label: 'CI', needs: 'tokens:read' },
  { href: '/settings/members', label: 'Members', needs: 'members:read' },
  { href: '/settings/branding', label: 'Branding', needs: 'extensions:read' },
  { href: '/settings/audit', label: 'Audit log', needs: 'audit:read' },
  { href: '/settings/tenant', label: 'Workspace' },
  { href: '/settings/instance', label: 'Instance', isForOperators: true },
];

/** Leads to the first part. */
export function SettingsPage(): ReactElement {
  return <Redirect to="/settings/account" replace />;
}

interface SettingsProps {
  readonly title: string;
  /** One sentence below the title. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the settings: its title, and the way to the others that this person may see. */
export function Settings({ title, about, actions, children }: SettingsProps): ReactElement {
  const { can, user } = useSession();
  const parts = PARTS.filter(
    ({ needs, isForOperators }) => (needs === undefined || can(needs)) && (isForOperators !== true || user.operator),
  );
  return (
    <>
      <PageHeader title={title} actions={actions}>
        {about}
      </PageHeader>
      <Tabs label="Settings" tabs={parts} />
      <div className={css.page} data-cards>
        {children}
      </div>
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a title of its own. */
export function Section({ title, about, children }: SectionProps): ReactElement {
  return (
    <section className={css.section}>
      <h2>{title}</h2>
      {about !== undefined && <p className={css.about}>{about}</p>}
      {children}
    </section>
  );
}

/** Names with their values. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }): ReactElement {
  return (
    <dl className={css.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
