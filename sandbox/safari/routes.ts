import { flag } from '../input.js';
import type { StoreRoute } from '../stand-in.js';
import { page, type Shape } from './documents.js';
import { SafariDoor } from './door.js';
import { conflict, noSuchPath, notFound } from './errors.js';
import { attribute, readDocument } from './requests.js';
import { appShape, buildShape, versionShape } from './resources.js';
import { reviewItemRoutes, reviewRoutes } from './review-routes.js';
import { localizationRoutes, releaseRoutes, VERSION_INCLUDES, versionRoutes } from './version-routes.js';
import type { SafariWorld } from './world.js';

/** The calls of the App Store Connect API that publishing needs (docs/stores.md#safari-calls). */
export function safariRoutes(world: SafariWorld): StoreRoute[] {
  const door = new SafariDoor(world);
  return [
    ...appRoutes(door),
    ...buildRoutes(door),
    ...versionRoutes(door),
    ...localizationRoutes(door),
    ...releaseRoutes(door),
    ...reviewRoutes(door),
    ...reviewItemRoutes(door),
    {
      operation: 'unknown',
      method: '*',
      // Below /v1/products is another store.
      path: /^\/v1\/(?!products(\/|$))/,
      body: 'buffer',
      handle: ({ url }) => noSuchPath(url.pathname),
    },
  ];
}

function appRoutes(door: SafariDoor): StoreRoute[] {
  return [
    door.route('apps', 'GET', /^\/v1\/apps$/, (call, key) =>
      page(call, {
        ...door.listing(door.world.appsOf(key.issuerId).map(appShape)),
        filters: { bundleId: (app) => app.attributes.bundleId, id: (app) => app.id },
      }),
    ),
    door.about('app', 'GET', /^\/v1\/apps\/(?<id>[^/]+)$/, 'apps', (call) => door.one(call, appShape(call.app))),
    door.about('versions', 'GET', /^\/v1\/apps\/(?<id>[^/]+)\/appStoreVersions$/, 'apps', (call) =>
      page(call, {
        ...door.listing(door.world.versionsOf(call.app.appId).map(versionShape), call.app),
        includes: VERSION_INCLUDES,
        filters: {
          platform: ({ attributes }) => attributes.platform,
          versionString: ({ attributes }) => attributes.versionString,
          appStoreState: ({ attributes }) => attributes.appStoreState,
          appVersionState: ({ attributes }) => attributes.appVersionState,
          id: ({ id }) => id,
        },
      }),
    ),
  ];
}

function buildRoutes(door: SafariDoor): StoreRoute[] {
  const now = (): Date => door.world.clock.now();
  return [
    door.route('builds', 'GET', /^\/v1\/builds$/, (call, key) => {
      const builds = door.world.appsOf(key.issuerId).flatMap(({ appId }) => door.world.buildsOf(appId));
      const train = ({ id }: Shape): { version?: string; platform?: string } => door.world.build(id) ?? {};
      return page(call, {
        ...door.listing(builds.map((build) => buildShape(build, now()))),
        includes: ['app', 'preReleaseVersion'],
        filters: {
          app: ({ id }) => door.world.build(id)?.appId,
          'preReleaseVersion.version': (build) => train(build).version,
          'preReleaseVersion.platform': (build) => train(build).platform,
          processingState: ({ attributes }) => attributes.processingState,
          expired: ({ attributes }) => attributes.expired,
          version: ({ attributes }) => attributes.version,
          buildAudienceType: ({ attributes }) => attributes.buildAudienceType,
          id: ({ id }) => id,
        },
        sorts: {
          uploadedDate: ({ attributes }) => String(attributes.uploadedDate),
          version: ({ attributes }) => String(attributes.version),
        },
      });
    }),
    door.about('answerEncryption', 'PATCH', /^\/v1\/builds\/(?<id>[^/]+)$/, 'builds', (call) => {
      const build = door.world.build(call.id);
      if (!build) throw notFound('builds', call.id);
      const answer = attribute(readDocument(call.body, 'builds', call.id), 'usesNonExemptEncryption', flag);
      if (answer !== undefined) {
        if (build.usesNonExemptEncryption !== null)
          throw conflict(
            'ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_STATE',
            'The encryption question is answered already.',
          );
        build.usesNonExemptEncryption = answer;
      }
      return door.one(call, buildShape(build, now()));
    }),
  ];
}
