import { summaryOf } from '../input.js';
import { type Addon, type AddonVersion, currentOf, statusOf, type Upload } from './addon.js';

/** An Upload of AMO (src/stores/README.md#firefox-objects). */
export function uploadBody(upload: Upload, origin: string): object {
  const isProcessed = upload.pollsLeft <= 0;
  return {
    uuid: upload.uuid,
    channel: upload.channel,
    processed: isProcessed,
    submitted: upload.isSubmitted,
    url: `${origin}/api/v5/addons/upload/${upload.uuid}/`,
    valid: isProcessed && upload.errors.length === 0,
    validation: isProcessed ? validationOf(upload) : null,
    version: isProcessed ? upload.version : null,
  };
}

function validationOf({ errors }: Upload): object {
  return {
    success: errors.length === 0,
    errors: errors.length,
    warnings: 0,
    notices: 0,
    messages: errors.map((message, index) => ({
      id: ['validation', String(index)],
      uid: String(index),
      type: 'error',
      tier: 1,
      message,
      description: [],
      file: 'manifest.json',
      line: null,
      column: null,
    })),
    metadata: {},
  };
}

const digestOf = (version: AddonVersion, addon: Addon): string =>
  (currentOf(addon, version.channel) === version ? addon.replacedDigest : null) ??
  version.file?.sha256 ??
  '0'.repeat(64);

/** A Version as its authors see it (src/stores/README.md#firefox-objects). */
export function versionBody(version: AddonVersion, addon: Addon, origin: string): object {
  const { file, id } = version;
  const name = `${addon.slug}-${version.version}.xpi`;
  return {
    id,
    channel: version.channel,
    version: version.version,
    edit_url: `${origin}/en-US/developers/addon/${addon.slug}/versions/${id}`,
    compatibility: Object.fromEntries(version.compatibility.map((app) => [app, { min: '109.0', max: '*' }])),
    file: {
      id,
      created: version.createdAt.toISOString(),
      hash: `sha256:${digestOf(version, addon)}`,
      is_mozilla_signed_extension: false,
      permissions: [],
      optional_permissions: [],
      host_permissions: [],
      size: file?.size ?? 0,
      status: version.status,
      url: `${origin}/firefox/downloads/file/${id}/${name}`,
    },
    is_disabled: version.isDisabled,
    is_strict_compatibility_enabled: false,
    license: version.license === null ? null : { slug: version.license },
    release_notes: version.releaseNotes,
    reviewed: version.wasApproved ? version.createdAt.toISOString() : null,
    approval_notes: version.approvalNotes,
    source: version.source === null ? null : `${origin}/firefox/downloads/source/${id}`,
  };
}

/** An Addon as its authors see it (src/stores/README.md#firefox-objects). */
export function addonBody(addon: Addon, origin: string): Record<string, unknown> {
  const current = currentOf(addon, 'listed');
  const unlisted = addon.versions.findLast(({ channel }) => channel === 'unlisted');
  const { count, mean } = summaryOf(addon.stars);
  return {
    id: addon.id,
    guid: addon.guid,
    slug: addon.slug,
    name: { [addon.defaultLocale]: addon.name },
    default_locale: addon.defaultLocale,
    type: 'extension',
    status: statusOf(addon),
    is_disabled: addon.isDisabled,
    current_version: current ? versionBody(current, addon, origin) : null,
    latest_unlisted_version: unlisted ? versionBody(unlisted, addon, origin) : null,
    url: `${origin}/en-US/firefox/addon/${addon.slug}/`,
    edit_url: `${origin}/en-US/developers/addon/${addon.slug}/edit`,
    average_daily_users: addon.averageDailyUsers,
    weekly_downloads: addon.weeklyDownloads,
    ratings: { average: mean, bayesian_average: mean, count, text_count: 0 },
    last_updated: addon.versions.at(-1)?.createdAt.toISOString() ?? null,
  };
}

/** A page of versions, newest first (src/stores/README.md#firefox-objects). */
export function pageOf(results: readonly object[], page: number, size: number, url: URL): object {
  const pages = Math.max(Math.ceil(results.length / size), 1);
  const at = (number: number): string | null => {
    if (number < 1 || number > pages) return null;
    const other = new URL(url);
    other.searchParams.set('page', String(number));
    return other.href;
  };
  return {
    page_size: size,
    page_count: pages,
    count: results.length,
    next: at(page + 1),
    previous: at(page - 1),
    results: results.slice((page - 1) * size, page * size),
  };
}
