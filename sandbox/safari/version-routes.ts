import type { Answer } from '../answer.js';
import { nullable, oneOf, text } from '../input.js';
import type { StoreRoute } from '../stand-in.js';
import { page, type Shape } from './documents.js';
import type { SafariDoor } from './door.js';
import { conflict, notFound } from './errors.js';
import { PHASED_STATES, PLATFORMS, RELEASE_TYPES, type Version } from './model.js';
import { attribute, readDocument, readLink, relationship } from './requests.js';
import { localizationShape, phasedShape, versionShape } from './resources.js';
import { attachBuild, createVersion, phaseRelease, requestRelease, updateWhatsNew, updateVersion } from './versions.js';

const NO_CONTENT: Answer = { status: 204, headers: {}, body: '' };
/** What of a version can be included. */
export const VERSION_INCLUDES = ['app', 'build', 'appStoreVersionLocalizations', 'appStoreVersionPhasedRelease'];

/** Making, changing and equipping a version. */
export function versionRoutes(door: SafariDoor): StoreRoute[] {
  return [
    door.route('createVersion', 'POST', /^\/v1\/appStoreVersions$/, (call, key) => {
      const sent = readDocument(call.body, 'appStoreVersions');
      const app = door.appOf(key, relationship(sent, 'app'));
      return door.counting(app, () => {
        const platform = attribute(sent, 'platform', oneOf(PLATFORMS));
        if (platform === undefined) throw conflict('ENTITY_ERROR.ATTRIBUTE.REQUIRED', "'platform' is required");
        const version = createVersion(door.world, app, platform, readVersion(call.body));
        return door.one(call, versionShape(version), 201, VERSION_INCLUDES);
      });
    }),
    door.ofVersion('version', 'GET', '', (call, version) =>
      door.one(call, versionShape(version), 200, VERSION_INCLUDES),
    ),
    door.ofVersion('updateVersion', 'PATCH', '', (call, version) => {
      updateVersion(door.world, call.app, version, readVersion(call.body, call.id));
      return door.one(call, versionShape(version), 200, VERSION_INCLUDES);
    }),
    door.ofVersion('attachBuild', 'PATCH', '/relationships/build', (call, version) => {
      const id = readLink(call.body, 'builds');
      attachBuild(door.world, call.app, version, id === null ? undefined : door.world.build(id));
      return NO_CONTENT;
    }),
  ];
}

/** The texts of a version. */
export function localizationRoutes(door: SafariDoor): StoreRoute[] {
  return [
    door.ofVersion('localizations', 'GET', '/appStoreVersionLocalizations', (call, version) =>
      page(call, {
        ...door.listing(version.localizations.map((one) => localizationShape(version, one))),
        filters: { locale: ({ attributes }) => attributes.locale },
      }),
    ),
    door.about(
      'updateWhatsNew',
      'PATCH',
      /^\/v1\/appStoreVersionLocalizations\/(?<id>[^/]+)$/,
      'appStoreVersionLocalizations',
      (call) => {
        const version = door.world.versionOfLocalization(call.id);
        const localization = version?.localizations.find(({ id }) => id === call.id);
        if (!version || !localization) throw notFound('appStoreVersionLocalizations', call.id);
        const whatsNew = attribute(
          readDocument(call.body, 'appStoreVersionLocalizations', call.id),
          'whatsNew',
          nullable(text),
        );
        if (whatsNew !== undefined) updateWhatsNew(door.world, version, localization, whatsNew);
        return door.one(call, localizationShape(version, localization));
      },
    ),
  ];
}

/** Releasing a version, at once or along the curve. */
export function releaseRoutes(door: SafariDoor): StoreRoute[] {
  const phased = /^\/v1\/appStoreVersionPhasedReleases\/(?<id>[^/]+)$/;
  const versionOf = (id: string): Version & { phased: NonNullable<Version['phased']> } => {
    const version = door.world.versionOfPhased(id);
    if (!version?.phased) throw notFound('appStoreVersionPhasedReleases', id);
    return version as Version & { phased: NonNullable<Version['phased']> };
  };
  return [
    door.withVersion('release', 'appStoreVersionReleaseRequests', (call, version) => {
      requestRelease(door.world, call.app, version);
      const made: Shape = { type: 'appStoreVersionReleaseRequests', id: version.id, attributes: {}, related: {} };
      return door.one(call, made, 201);
    }),
    door.withVersion('createPhasedRelease', 'appStoreVersionPhasedReleases', (call, version) => {
      phaseRelease(door.world, version);
      return door.one(call, phasedShape(version, versionOf(version.phased?.id ?? '').phased, door.now()), 201);
    }),
    door.about('updatePhasedRelease', 'PATCH', phased, 'appStoreVersionPhasedReleases', (call) => {
      const version = versionOf(call.id);
      const sent = readDocument(call.body, 'appStoreVersionPhasedReleases', call.id);
      const state = attribute(sent, 'phasedReleaseState', oneOf(PHASED_STATES));
      if (state !== undefined && (version.phased.state === 'INACTIVE' || version.phased.state === 'COMPLETE'))
        throw conflict('ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_STATE', 'The phased release is not under way.');
      if (state !== undefined) version.phased.state = state;
      return door.one(call, phasedShape(version, version.phased, door.now()));
    }),
    door.about('deletePhasedRelease', 'DELETE', phased, 'appStoreVersionPhasedReleases', (call) => {
      const version: Version = versionOf(call.id);
      if (version.phased?.state !== 'INACTIVE')
        throw conflict('STATE_ERROR', 'A phased release cannot be deleted in the current state.');
      version.phased = null;
      return NO_CONTENT;
    }),
  ];
}

function readVersion(body: Buffer, id?: string) {
  const sent = readDocument(body, 'appStoreVersions', id);
  return {
    versionString: attribute(sent, 'versionString', text),
    releaseType: attribute(sent, 'releaseType', oneOf(RELEASE_TYPES)),
    earliestReleaseDate: attribute(sent, 'earliestReleaseDate', nullable(text)),
  };
}
