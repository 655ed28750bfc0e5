import type { Schemas } from '../api';

type About = Pick<Schemas['AuditEntry'], 'action' | 'subject' | 'extensionId'>;

const ofExtension = ({ extensionId }: About, path: string): string | null =>
  extensionId === null ? null : `/extensions/${extensionId}/${path}`;
const ofName = ({ subject: { name } }: About, href: (name: string) => string | null): string | null =>
  name === null ? null : href(encodeURIComponent(name));

/** The pages of subjects, by their type. A subject without a page of its own is on the list that has it. */
const PAGES = new Map<string, (about: About) => string | null>([
  ['license', ({ subject }) => `/licenses/${subject.id}`],
  ['license_batch', (about) => ofName(about, (name) => `/licenses?campaign=${name}`)],
  ['license_import', ({ subject }) => `/imports/${subject.id}`],
  ['order', ({ subject }) => `/orders/${subject.id}`],
  ['plan', () => '/plans'],
  ['trial', () => '/plans'],
  ['inbox_item', () => '/plans'],
  ['unrelated_product', () => '/plans'],
  ['extension', ({ subject }) => `/extensions/${subject.id}`],
  ['target', (about) => ofExtension(about, `targets/${about.subject.id}`)],
  ['artifact', (about) => ofName(about, (name) => ofExtension(about, `versions/${name}`))],
  ['approval', ({ subject }) => `/approvals/${subject.id}`],
  ['review', () => '/reviews'],
  ['notification_endpoint', () => '/notifications'],
  ['notification_delivery', () => '/notifications'],
  ['credential', () => '/settings/credentials'],
  ['access_token', () => '/settings/tokens'],
  ['trust_rule', () => '/settings/ci'],
  ['member', () => '/settings/members'],
  ['invitation', () => '/settings/members'],
  ['branding', () => '/settings/branding'],
  ['tenant', () => '/settings/tenant'],
]);

/** The page of the console that shows what an entry is about; null when there is none, or the entry says that it was deleted. */
export const subjectHref = (about: About): string | null =>
  about.action.endsWith('.deleted') ? null : (PAGES.get(about.subject.type)?.(about) ?? null);
