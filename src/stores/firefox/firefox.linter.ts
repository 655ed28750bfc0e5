import { storeFinding, type StoreFinding } from '../package-rules.js';

/** An error of addons-linter, for which AMO refuses the package. */
export interface LinterError {
  readonly code: string;
  readonly message: string;
  /** Inside the package; null where it is about all of it. */
  readonly file: string | null;
  readonly line: number | null;
}

/** Of one package. */
const MAX_ERRORS = 20;
/** The rules that find what an error says, and say it with the place and the remedy. */
const FOUND_BY: ReadonlyMap<string, readonly string[]> = new Map([
  ['ADDON_ID_REQUIRED', ['no_gecko_id']],
  ['APPLICATIONS_INVALID', ['has_applications']],
  ['BACKGROUND_SERVICE_WORKER_NOFALLBACK', ['worker_without_fallback']],
  ['ICON_NOT_SQUARE', ['oblong_icon']],
  ['JSON_DUPLICATE_KEY', ['repeated_key']],
  ['JSON_INVALID', ['broken_messages', 'wrong_value', 'bad_pattern', 'wrong_name']],
  ['MANIFEST_BACKGROUND_FILE_NOT_FOUND', ['absent_file']],
  ['MANIFEST_BAD_PERMISSION', ['wrong_permissions']],
  ['MANIFEST_CONTENT_SCRIPT_FILE_NOT_FOUND', ['absent_file']],
  ['MANIFEST_FIELD_INVALID', ['wrong_value']],
  ['MANIFEST_ICON_NOT_FOUND', ['absent_file']],
  ['MANIFEST_PERMISSIONS_PRIVILEGED', ['wrong_permissions']],
  ['MANIFEST_THEME_IMAGE_NOT_FOUND', ['absent_file']],
  ['MANIFEST_UPDATE_URL', ['own_updates']],
  ['NO_DEFAULT_LOCALE', ['no_default_locale']],
  ['NO_MESSAGE', ['broken_messages']],
  ['NO_MESSAGES_FILE', ['no_messages']],
  ['NO_MESSAGES_FILE_IN_LOCALES', ['empty_locale']],
  ['NONE_DATA_COLLECTION_IS_EXCLUSIVE', ['wrong_value']],
  ['RESERVED_FILENAME', ['reserved_file']],
  ['RESTRICTED_HOMEPAGE_URL', ['wrong_value']],
  ['RESTRICTED_PERMISSION', ['proxy_before_91']],
]);

/** The findings of addons-linter that the rules did not have. Pure. */
export function linterFindings(
  errors: readonly LinterError[],
  found: readonly Pick<StoreFinding, 'store' | 'code'>[],
): readonly StoreFinding[] {
  const rules = new Set(found.flatMap(({ store, code }) => (store === 'firefox' ? [code] : [])));
  const findings = errors
    .filter(({ code }) => !(FOUND_BY.get(code) ?? []).some((rule) => rules.has(rule)))
    .map(({ code, message, file, line }) =>
      storeFinding('firefox', {
        code,
        severity: 'refused',
        source: 'https://mozilla.github.io/addons-linter/',
        what: `addons-linter: ${message.replace(/\.$/, '')}`,
        file,
        ...(line === null ? {} : { path: `line ${line}` }),
        key: JSON.stringify([code, file, message]),
      }),
    );
  return [...new Map(findings.map((finding) => [finding.id, finding])).values()].slice(0, MAX_ERRORS);
}
