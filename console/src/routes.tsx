import { lazy, type ComponentType, type ReactElement } from 'react';
import { Problem } from './api';
import type { PageProps } from './page-props';
import type { Permission } from './session';
import { BellIcon, ChartIcon, HomeIcon, LicenseIcon, SettingsIcon } from './ui';

interface Page {
  /** As wouter writes paths. The first that fits is shown. */
  readonly path: string;
  readonly page: ComponentType<PageProps>;
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

export const PAGE_NOT_LOADED = {
  code: 'page_not_loaded',
  title: 'Page not loaded',
  detail: 'The connection failed, or the service was updated meanwhile.',
  status: 0,
} as const;

/** Loads a page when it is opened. */
function lazily<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType<PageProps>>>>,
  name: Name,
): ComponentType<PageProps> {
  return lazy<ComponentType<PageProps>>(() =>
    load().then(
      (module) => ({ default: module[name] }),
      () => Promise.reject(new Problem(PAGE_NOT_LOADED)),
    ),
  );
}

/** The pages. A page adds its path here and, if it is a place of its own, its link below; nothing links to a page that is not here. */
export const PAGES: readonly Page[] = [
  { path: '/', page: lazily(() => import('./pages/home/home-page'), 'HomePage') },
  { path: '/start', page: lazily(() => import('./pages/start/start-page'), 'StartPage') },
  { path: '/licenses', page: lazily(() => import('./pages/licenses/licenses-page'), 'LicensesPage') },
  { path: '/licenses/:id', page: lazily(() => import('./pages/licenses/license-page'), 'LicensePage') },
  { path: '/customers', page: lazily(() => import('./pages/licenses/customer-page'), 'CustomerPage') },
  { path: '/campaigns', page: lazily(() => import('./pages/licenses/campaigns-page'), 'CampaignsPage') },
  { path: '/imports', page: lazily(() => import('./pages/imports/imports-page'), 'ImportsPage') },
  { path: '/imports/:id', page: lazily(() => import('./pages/imports/import-page'), 'ImportPage') },
  { path: '/orders', page: lazily(() => import('./pages/orders/orders-page'), 'OrdersPage') },
  { path: '/orders/:id', page: lazily(() => import('./pages/orders/order-page'), 'OrderPage') },
  { path: '/plans', page: lazily(() => import('./pages/plans/plans-page'), 'PlansPage') },
  { path: '/approvals/:id', page: lazily(() => import('./pages/extension/approval-page'), 'ApprovalPage') },
  { path: '/reviews', page: lazily(() => import('./pages/reviews/reviews-page'), 'ReviewsPage') },
  { path: '/analytics', page: lazily(() => import('./pages/analytics/analytics-page'), 'AnalyticsPage') },
  {
    path: '/notifications',
    page: lazily(() => import('./pages/notifications/notifications-page'), 'NotificationsPage'),
  },
  { path: '/extensions/:id', page: lazily(() => import('./pages/extension/extension-page'), 'ExtensionPage') },
  { path: '/extensions/:id/timeline', page: lazily(() => import('./pages/extension/timeline-page'), 'TimelinePage') },
  { path: '/extensions/:id/push', page: lazily(() => import('./pages/extension/push-page'), 'PushPage') },
  {
    path: '/extensions/:id/versions/:version',
    page: lazily(() => import('./pages/extension/version-page'), 'VersionPage'),
  },
  {
    path: '/extensions/:id/targets/:targetId',
    page: lazily(() => import('./pages/extension/target-page'), 'TargetPage'),
  },
  { path: '/settings', page: lazily(() => import('./pages/settings/settings'), 'SettingsPage') },
  { path: '/settings/account', page: lazily(() => import('./pages/settings/account-page'), 'AccountPage') },
  { path: '/settings/credentials', page: lazily(() => import('./pages/settings/credentials-page'), 'CredentialsPage') },
  { path: '/settings/tokens', page: lazily(() => import('./pages/settings/tokens-page'), 'TokensPage') },
  { path: '/settings/ci', page: lazily(() => import('./pages/settings/ci-page'), 'CiPage') },
  { path: '/settings/members', page: lazily(() => import('./pages/settings/members-page'), 'MembersPage') },
  { path: '/settings/branding', page: lazily(() => import('./pages/settings/branding-page'), 'BrandingPage') },
  { path: '/settings/audit', page: lazily(() => import('./pages/settings/audit-page'), 'AuditPage') },
  { path: '/settings/tenant', page: lazily(() => import('./pages/settings/tenant-page'), 'TenantPage') },
  { path: '/settings/instance', page: lazily(() => import('./pages/settings/instance-page'), 'InstancePage') },
];

/** The rail, from top to bottom; on a phone from left to right, where there is room for five. */
export const RAIL: readonly RailLink[] = [
  { href: '/', label: 'Home', icon: HomeIcon },
  {
    href: '/licenses',
    label: 'Licenses',
    also: ['/campaigns', '/customers', '/imports', '/orders', '/plans'],
    icon: LicenseIcon,
    needs: 'licenses:read',
  },
  { href: '/analytics', label: 'Analytics', also: ['/reviews'], icon: ChartIcon, needs: 'analytics:read' },
  { href: '/notifications', label: 'Notifications', short: 'Alerts', icon: BellIcon, needs: 'extensions:read' },
  { href: '/settings', label: 'Settings', icon: SettingsIcon },
];

export const NOT_FOUND = lazily(() => import('./pages/not-found/not-found-page'), 'NotFoundPage') as ComponentType;
