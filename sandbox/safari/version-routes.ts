import type { Answer } from '../answer.js';
import { nullable, oneOf, text } from '../input.js';
import type { StoreRoute } from '../stand-in.js';
import { page, type Shape } from './documents.js';
import type { SafariRouteBuilder } from './route-builder.js';
import { conflict, notFound } from './errors.js';
import { PHASED_STATES, PLATFORMS, RELEASE_TYPES, type Version } from './model.js';
import { attribute, readDocument, readLink, relationship } from './requests.js';
import { localizationShape, phasedShape, versionShape } from './resources.js';
import { attachBuild, createVersion, phaseRelease, requestRelease, updateWhatsNew, updateVersion } from './versions.js';

const NO_CONTENT: Answer = { status: 204, headers: {}, body: '' };
/** The relationships of a version that can be included. */
export const VERSION_INCLUDES = ['app', 'build', 'appStoreVersionLocalizations', 'appStoreVersionPhasedRelease'];

/** Creating and changing a version, and attaching its build. */
export function versionRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  return [
    builder.route('createVersion', 'POST', /^\/v1\/appStoreVersions$/, (call, key) => {
      const sent = readDocument(call.body, 'appStoreVersions');
      const app = builder.appOf(key, relationship(sent, 'app'));
      return builder.countingWrites(app, () => {
        const platform = attribute(sent, 'platform', oneOf(PLATFORMS));
        if (platform === undefined) throw conflict('ENTITY_ERROR.ATTRIBUTE.REQUIRED', "'platform' is required");
        const version = createVersion(builder.world, app, platform, readVersion(call.body));
        return builder.resourceAnswer(call, versionShape(version), 201, VERSION_INCLUDES);
      });
    }),
    builder.versionRoute('version', 'GET', '', (call, version) =>
      builder.resourceAnswer(call, versionShape(version), 200, VERSION_INCLUDES),
    ),
    builder.versionRoute('updateVersion', 'PATCH', '', (call, version) => {
      updateVersion(builder.world, call.app, version, readVersion(call.body, call.id));
      return builder.resourceAnswer(call, versionShape(version), 200, VERSION_INCLUDES);
    }),
    builder.versionRoute('attachBuild', 'PATCH', '/relationships/build', (call, version) => {
      const id = readLink(call.body, 'builds');
      attachBuild(builder.world, call.app, version, id === null ? undefined : builder.world.build(id));
      return NO_CONTENT;
    }),
  ];
}

/** The texts of a version. */
export function localizationRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  return [
    builder.versionRoute('localizations', 'GET', '/appStoreVersionLocalizations', (call, version) =>
      page(call, {
        ...builder.listing(version.localizations.map((one) => localizationShape(version, one))),
        filters: { locale: ({ attributes }) => attributes.locale },
      }),
    ),
    builder.appRoute(
      'updateWhatsNew',
      'PATCH',
      /^\/v1\/appStoreVersionLocalizations\/(?<id>[^/]+)$/,
      'appStoreVersionLocalizations',
      (call) => {
        const version = builder.world.versionOfLocalization(call.id);
        const localization = version?.localizations.find(({ id }) => id === call.id);
        if (!version || !localization) throw notFound('appStoreVersionLocalizations', call.id);
        const whatsNew = attribute(
          readDocument(call.body, 'appStoreVersionLocalizations', call.id),
          'whatsNew',
          nullable(text),
        );
        if (whatsNew !== undefined) updateWhatsNew(builder.world, version, localization, whatsNew);
        return builder.resourceAnswer(call, localizationShape(version, localization));
      },
    ),
  ];
}

/** Releasing a version, at once or in phases. */
export function releaseRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  const phased = /^\/v1\/appStoreVersionPhasedReleases\/(?<id>[^/]+)$/;
  const versionOf = (id: string): Version & { phased: NonNullable<Version['phased']> } => {
    const version = builder.world.versionOfPhased(id);
    if (!version?.phased) throw notFound('appStoreVersionPhasedReleases', id);
    return version as Version & { phased: NonNullable<Version['phased']> };
  };
  return [
    builder.versionActionRoute('release', 'appStoreVersionReleaseRequests', (call, version) => {
      requestRelease(builder.world, call.app, version);
      const made: Shape = { type: 'appStoreVersionReleaseRequests', id: version.id, attributes: {}, related: {} };
      return builder.resourceAnswer(call, made, 201);
    }),
    builder.versionActionRoute('createPhasedRelease', 'appStoreVersionPhasedReleases', (call, version) => {
      phaseRelease(builder.world, version);
      return builder.resourceAnswer(
        call,
        phasedShape(version, versionOf(version.phased?.id ?? '').phased, builder.now()),
        201,
      );
    }),
    builder.appRoute('updatePhasedRelease', 'PATCH', phased, 'appStoreVersionPhasedReleases', (call) => {
      const version = versionOf(call.id);
      const sent = readDocument(call.body, 'appStoreVersionPhasedReleases', call.id);
      const state = attribute(sent, 'phasedReleaseState', oneOf(PHASED_STATES));
      if (state !== undefined && (version.phased.state === 'INACTIVE' || version.phased.state === 'COMPLETE'))
        throw conflict('ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_STATE', 'The phased release is not under way.');
      if (state !== undefined) version.phased.state = state;
      return builder.resourceAnswer(call, phasedShape(version, version.phased, builder.now()));
    }),
    builder.appRoute('deletePhasedRelease', 'DELETE', phased, 'appStoreVersionPhasedReleases', (call) => {
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
