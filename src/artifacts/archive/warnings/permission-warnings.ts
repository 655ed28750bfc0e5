import type { PackageManifest } from '../manifest.js';
import { opensAllSites } from './host-access.js';

/** Everything that Chromium asks users about: permissions, manifest keys that give access, and sites. Packages pushed earlier may lack the keys. */
export type RequestedAccess = Pick<PackageManifest, 'permissions' | 'hostPermissions'> &
  Partial<Pick<PackageManifest, 'grantingKeys'>>;

interface Rule {
  /** Chrome's words. */
  readonly warning: string;
  /** The warning is shown when all of these are requested. */
  readonly needs: readonly string[];
  /** The warning covers these permissions as well, which then have no warning of their own. */
  readonly covers?: readonly string[];
}

/** Access to all sites, however it was requested. */
const ALL_SITES = '<all_urls>';
/** Permissions and keys that give it. */
const GIVE_ALL_SITES = ['debugger', 'devtools_page', 'pageCapture', 'proxy', 'tabCapture', 'webAuthenticationProxy'];

const READ_HISTORY = 'Read your browsing history';
const SEEN_IN_HISTORY = ['declarativeNetRequestFeedback', 'favicon', 'processes', 'topSites', 'webNavigation'];

/**
 * The permissions with a warning, in the words of https://developer.chrome.com/docs/extensions/reference/permissions-list, in the order in which
 * Chromium asks (chrome/common/extensions/permissions/chrome_permission_message_rules.cc): what an earlier rule speaks for, no later one
 * names. A permission that is not listed, such as `storage`, `cookies`, `identity` or `userScripts`, raises no warning.
 */
const RULES: readonly Rule[] = [
  { warning: 'Access the page debugger backend', needs: ['debugger'] },
  {
    warning: 'Read and change all your data on all websites',
    needs: [ALL_SITES],
    covers: [...GIVE_ALL_SITES, ...SEEN_IN_HISTORY, 'tabs', 'declarativeNetRequest'],
  },
  { warning: 'Detect your physical location', needs: ['geolocation'] },
  {
    warning: 'Read and change your browsing history on all your signed-in devices',
    needs: ['history'],
    covers: [...SEEN_IN_HISTORY, 'tabs'],
  },
  {
    warning: 'Read your browsing history on all your signed-in devices',
    needs: ['tabs', 'sessions'],
    covers: SEEN_IN_HISTORY,
  },
  { warning: READ_HISTORY, needs: ['tabs'], covers: SEEN_IN_HISTORY },
  { warning: READ_HISTORY, needs: ['processes'], covers: SEEN_IN_HISTORY },
  { warning: READ_HISTORY, needs: ['webNavigation'], covers: SEEN_IN_HISTORY },
  { warning: READ_HISTORY, needs: ['declarativeNetRequestFeedback'], covers: SEEN_IN_HISTORY },
  { warning: 'Read the icons of the websites you visit', needs: ['favicon'] },
  { warning: 'Read a list of your most frequently visited websites', needs: ['topSites'] },
  { warning: 'Block content on any page', needs: ['declarativeNetRequest'] },
  { warning: 'Display notifications', needs: ['notifications'] },
  {
    warning: 'Read and change your accessibility settings',
    needs: ['accessibilityFeatures.modify', 'accessibilityFeatures.read'],
  },
  { warning: 'Change your accessibility settings', needs: ['accessibilityFeatures.modify'] },
  { warning: 'Read your accessibility settings', needs: ['accessibilityFeatures.read'] },
  { warning: 'Read and change your bookmarks', needs: ['bookmarks'] },
  { warning: 'Read and change entries in the reading list', needs: ['readingList'] },
  { warning: 'Read and modify data you copy and paste', needs: ['clipboardRead', 'clipboardWrite'] },
  { warning: 'Read data you copy and paste', needs: ['clipboardRead'] },
  { warning: 'Modify data you copy and paste', needs: ['clipboardWrite'] },
  { warning: 'Capture content of your screen', needs: ['desktopCapture'] },
  { warning: 'Manage your downloads', needs: ['downloads'] },
  { warning: 'Open downloaded files', needs: ['downloads.open'] },
  { warning: 'Know your email address', needs: ['identity.email'] },
  { warning: 'Identify and eject storage devices', needs: ['system.storage'] },
  {
    warning:
      'Change and grant access to features such as geolocation, microphone, camera, cookies, etc., for all your websites and extensions, including this extension.',
    needs: ['contentSettings'],
  },
  { warning: 'Manage your apps, extensions, and themes', needs: ['management'] },
  { warning: 'Communicate with cooperating native applications', needs: ['nativeMessaging'] },
  { warning: 'Change your privacy-related settings', needs: ['privacy'] },
  { warning: 'View and manage your tab groups', needs: ['tabGroups'] },
  { warning: 'Read all text spoken using synthesized speech', needs: ['ttsEngine'] },
  { warning: 'Replace the page you see when opening a new tab', needs: ['chrome_url_overrides.newtab'] },
];

/** Whether an extension may read every site, directly or through another permission. */
export const readsAllSites = (asked: RequestedAccess): boolean =>
  askedFor(asked).some((each) => GIVE_ALL_SITES.includes(each)) || asked.hostPermissions.some(opensAllSites);

/** Permissions, and the keys that users are asked about as about permissions. */
const askedFor = ({ permissions, grantingKeys = [] }: RequestedAccess): readonly string[] => [
  ...permissions,
  ...grantingKeys,
];

/** Returns the warnings that users see, and the permissions behind each. Pure. */
export function warningsOf(asked: RequestedAccess): ReadonlyMap<string, readonly string[]> {
  const left = new Set(askedFor(asked));
  if (readsAllSites(asked)) left.add(ALL_SITES);
  const warnings = new Map<string, readonly string[]>();
  for (const { warning, needs, covers = [] } of RULES) {
    if (!needs.every((each) => left.has(each))) continue;
    const behind = [...needs, ...covers].filter((each) => left.delete(each));
    warnings.set(warning, [...(warnings.get(warning) ?? []), ...behind]);
  }
  return warnings;
}

/** Returns the warnings that users of one version see when they get another: the new ones, and the new permissions behind them. Pure. */
export function newWarnings(
  stored: RequestedAccess,
  after: RequestedAccess,
): { warnings: readonly string[]; permissions: readonly string[] } {
  // A version whose keys are unknown is assumed to have had these.
  const before: RequestedAccess = { grantingKeys: after.grantingKeys ?? [], ...stored };
  const known = warningsOf(before);
  const had = askedFor(before);
  // Reading all sites counts as new: where it is not, its warning is known and raises nothing.
  const added = new Set([ALL_SITES, ...askedFor(after).filter((each) => !had.includes(each))]);
  // A warning that appears only because another permission was removed does not mean new access.
  const raised = [...warningsOf(after)].filter(
    ([warning, behind]) => !known.has(warning) && behind.some((each) => added.has(each)),
  );
  const behind = new Set(raised.flatMap(([, permissions]) => permissions));
  return {
    warnings: raised.map(([warning]) => warning),
    permissions: askedFor(after).filter((each) => added.has(each) && behind.has(each)),
  };
}
