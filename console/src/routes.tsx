import { lazy, type ComponentType, type ReactElement } from 'react';
import { PAGE_NOT_LOADED, Problem } from './api';
import type { PageProps } from './page-props';
import type { Permission } from './session';
import { BellIcon, ChartIcon, HomeIcon, LicenseIcon, SettingsIcon } from './ui';

interface Page {
  /** As wouter writes paths. The first that fits is shown. */
  readonly path: string;
  readonly page: ComponentType<PageProps>;
  readonly load: () => Promise<unknown>;
}

interface RailLink {
  readonly href: string;
  readonly label: string;
  /** Replacement of `label` where that is too long for a phone. */
  readonly short?: string;
  /** Other pages that belong to the link. */
  readonly also?: readonly string[];
  readonly icon: () => ReactElement;
  /** Permission without which people do not see the link. */
  readonly needs?: Permission;
}

/** A page that is loaded when it is opened, or shortly before. */
function lazily<Name extends string>(
  path: string,
  load: () => Promise<Readonly<Record<Name, ComponentType<PageProps>>>>,
  name: Name,
): Page {
  const page = lazy<ComponentType<PageProps>>(() =>
    load().then(
      (module) => ({ default: module[name] }),
      () => Promise.reject(new Problem(PAGE_NOT_LOADED)),
    ),
  );
  return { path, page, load };
}

/** The pages. A page adds its path here and, if it is a place of its own, its link below; nothing links to a page that is not here. */
export const PAGES: readonly Page[] = [
  lazily('/', () => import('./pages/home/home-page'), 'HomePage'),
  lazily('/start', () => import('./pages/start/start-page'), 'StartPage'),
  lazily('/licenses', () => import('./pages/licenses/licenses-page'), 'LicensesPage'),
  lazily('/licenses/:id', () => import('./pages/licenses/license-page'), 'LicensePage'),
  lazily('/customers', () => import('./pages/licenses/customer-page'), 'CustomerPage'),
  lazily('/imports', () => import('./pages/imports/imports-page'), 'ImportsPage'),
  lazily('/imports/:id', () => import('./pages/imports/import-page'), 'ImportPage'),
  lazily('/orders', () => import('./pages/orders/orders-page'), 'OrdersPage'),
  lazily('/orders/:id', () => import('./pages/orders/order-page'), 'OrderPage'),
  lazily('/plans', () => import('./pages/plans/plans-page'), 'PlansPage'),
  lazily('/approvals/:id', () => import('./pages/extension/approval-page'), 'ApprovalPage'),
  lazily('/reviews', () => import('./pages/reviews/reviews-page'), 'ReviewsPage'),
  lazily('/analytics', () => import('./pages/analytics/analytics-page'), 'AnalyticsPage'),
  lazily('/notifications', () => import('./pages/notifications/notifications-page'), 'NotificationsPage'),
  lazily('/extensions/:id', () => import('./pages/extension/extension-page'), 'ExtensionPage'),
  lazily('/extensions/:id/timeline', () => import('./pages/extension/timeline-page'), 'TimelinePage'),
  lazily('/extensions/:id/settings', () => import('./pages/extension/settings-page'), 'SettingsPage'),
  lazily('/extensions/:id/push', () => import('./pages/extension/push-page'), 'PushPage'),
  lazily('/extensions/:id/versions/:version', () => import('./pages/extension/version-page'), 'VersionPage'),
  lazily('/extensions/:id/targets/:targetId', () => import('./pages/extension/target-page'), 'TargetPage'),
  lazily('/settings', () => import('./pages/settings/settings'), 'SettingsPage'),
  lazily('/settings/account', () => import('./pages/settings/account-page'), 'AccountPage'),
  lazily('/settings/credentials', () => import('./pages/settings/credentials-page'), 'CredentialsPage'),
  lazily('/settings/tokens', () => import('./pages/settings/tokens-page'), 'TokensPage'),
  lazily('/settings/ci', () => import('./pages/settings/ci-page'), 'CiPage'),
  lazily('/settings/members', () => import('./pages/settings/members-page'), 'MembersPage'),
  lazily('/settings/branding', () => import('./pages/settings/branding-page'), 'BrandingPage'),
  lazily('/settings/audit', () => import('./pages/settings/audit-page'), 'AuditPage'),
  lazily('/settings/tenant', () => import('./pages/settings/tenant-page'), 'TenantPage'),
  lazily('/settings/instance', () => import('./pages/settings/instance-page'), 'InstancePage'),
];

/** The rail, from top to bottom; on a phone from left to right, where there is room for five. */
export const RAIL: readonly RailLink[] = [
  { href: '/', label: 'Home', icon: HomeIcon },
  {
    href: '/licenses',
    label: 'Licenses',
    also: ['/customers', '/imports', '/orders', '/plans'],
    icon: LicenseIcon,
    needs: 'licenses:read',
  },
  { href: '/analytics', label: 'Analytics', also: ['/reviews'], icon: ChartIcon, needs: 'analytics:read' },
  { href: '/notifications', label: 'Notifications', short: 'Alerts', icon: BellIcon, needs: 'extensions:read' },
  { href: '/settings', label: 'Settings', icon: SettingsIcon },
];

export const NOT_FOUND = lazily('*', () => import('./pages/not-found/not-found-page'), 'NotFoundPage')
  .page as ComponentType;

/** Begins to load the page at a path, as somebody is about to open it. */
export function preloadPage(pathname: string): void {
  const found = PAGES.find(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname));
  // Opening the page reports what failed.
  found?.load().catch(() => undefined);
}
