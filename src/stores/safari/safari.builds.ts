import { asText } from '../../common/net/index.js';
import { compareVersions, parseVersion } from '../version.js';
import { StoreFailure } from '../failures/index.js';
import type { EncryptionAnswer } from '../store.js';
import type { Page } from './safari.documents.js';

/** `CFBundleShortVersionString` has at most three numbers. */
export const MAX_VERSION_NUMBERS = 3;

/** A build that Pierhead has uploaded, or Xcode or another tool has delivered. */
export interface SafariBuild {
  readonly id: string;
  /** The build number. */
  readonly number: string;
  /** The marketing version as the app spells it. The App Store version must use the same spelling. */
  readonly version: string;
  /** `processingState`, documented or not. */
  readonly processing: string | undefined;
  /** The declaration about its encryption; null while Apple's question is open. */
  readonly encryption: EncryptionAnswer | null;
  readonly isForTestersOnly: boolean;
}

/** Reads the builds of a page, in the page's order. */
export function buildsOf({ data, included }: Page): SafariBuild[] {
  return data
    .filter(({ type }) => type === 'builds')
    .map(({ id, attributes, related }) => {
      const train = included.find(
        (one) => one.type === 'preReleaseVersions' && one.id === related('preReleaseVersion'),
      );
      return {
        id,
        number: asText(attributes['version']) ?? '',
        version: asText(train?.attributes['version']) ?? '',
        processing: asText(attributes['processingState']),
        encryption: answerOf(attributes['usesNonExemptEncryption']),
        isForTestersOnly: attributes['buildAudienceType'] === 'INTERNAL_ONLY',
      };
    });
}

const answerOf = (usesNonExempt: unknown): EncryptionAnswer | null =>
  usesNonExempt == null ? null : usesNonExempt === true ? 'nonExempt' : 'exempt';

/**
 * The spellings of a version that an app may use: `1.2` is also `1.2.0`.
 * @throws StoreFailure `artifact` when an app cannot have such a version
 */
export function spellingsOf(version: string): readonly string[] {
  const numbers = (parseVersion(version) ?? []).map(String);
  while (numbers.length > 1 && numbers.at(-1) === '0') numbers.pop();
  if (numbers.length === 0 || numbers.length > MAX_VERSION_NUMBERS) {
    throw new StoreFailure(
      'artifact',
      `Versions on the App Store have at most three numbers, so ${version} is not possible.`,
    );
  }
  const spellings = [];
  for (; numbers.length <= MAX_VERSION_NUMBERS; numbers.push('0')) spellings.push(numbers.join('.'));
  return spellings;
}

/**
 * The build to submit: the one that Pierhead uploaded, or the one delivered last, unless it failed. Pure.
 * @param builds newest first
 * @param app the id of the app, and of the build of it that Pierhead uploaded; null for none
 * @throws StoreFailure `wait` while there is none or it is being processed, `config` when all have failed
 */
export function buildToSubmit(
  builds: readonly SafariBuild[],
  version: string,
  app: { readonly id: string; readonly ownBuild: string | null },
): SafariBuild {
  const ours = builds.filter(
    (build) => compareVersions(build.version, version) === 0 && (app.ownBuild ?? build.id) === build.id,
  );
  for (const build of ours) {
    if (build.processing === 'FAILED' || build.processing === 'INVALID' || build.isForTestersOnly) continue;
    if (build.processing === 'VALID') return build;
    throw new StoreFailure('wait', `Build ${build.number} of version ${version} is still being processed by Apple.`);
  }
  const [newest] = ours;
  if (newest === undefined)
    throw new StoreFailure(
      'wait',
      `No build of version ${version} has been delivered to App Store Connect yet. Push a signed .pkg or .ipa, deliver a build from Xcode, or give the zip to the packager at https://appstoreconnect.apple.com/apps/${app.id}.`,
    );
  const why = newest.isForTestersOnly ? 'is for internal testing only' : 'could not be processed by Apple';
  throw new StoreFailure(
    'config',
    `Build ${newest.number} of version ${version} ${why}. Deliver another build of the same version.`,
  );
}
