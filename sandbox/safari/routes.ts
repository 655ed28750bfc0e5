import { randomUUID } from 'node:crypto';
import { flag } from '../input.js';
import type { StoreRoute } from '../stand-in.js';
import { cloudRoutes } from './cloud-routes.js';
import { customerReviewRoutes } from './customer-reviews.js';
import { page, type Shape } from './documents.js';
import { SafariRouteBuilder } from './route-builder.js';
import { conflict, noSuchPath, notFound } from './errors.js';
import { PLATFORMS } from './model.js';
import { attribute, readDocument } from './requests.js';
import { appShape, buildShape, versionShape } from './resources.js';
import { reviewItemRoutes, reviewRoutes } from './review-routes.js';
import { localizationRoutes, releaseRoutes, VERSION_INCLUDES, versionRoutes } from './version-routes.js';
import { lookupRoute } from './lookup.js';
import { reportRoutes } from './reports.js';
import { webhookRoutes } from './webhooks.js';
import { uploadFileRoutes, uploadRoutes } from './upload-routes.js';
import type { SafariWorld } from './world.js';

/** The calls of the App Store Connect API that publishing needs (src/stores/README.md#safari-calls). */
export function safariRoutes(world: SafariWorld): StoreRoute[] {
  const builder = new SafariRouteBuilder(world);
  return [
    ...appRoutes(builder),
    ...buildRoutes(builder),
    ...customerReviewRoutes(builder),
    ...versionRoutes(builder),
    ...localizationRoutes(builder),
    ...releaseRoutes(builder),
    ...reviewRoutes(builder),
    ...reviewItemRoutes(builder),
    ...webhookRoutes(builder),
    ...reportRoutes(builder),
    ...uploadRoutes(builder),
    ...uploadFileRoutes(builder),
    ...cloudRoutes(builder),
    lookupRoute(world),
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

function appRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  return [
    builder.route('apps', 'GET', /^\/v1\/apps$/, (call, key) =>
      page(call, {
        ...builder.listing(builder.world.appsOf(key.issuerId).map(appShape)),
        filters: { bundleId: (app) => app.attributes.bundleId, id: (app) => app.id },
      }),
    ),
    builder.appRoute('app', 'GET', /^\/v1\/apps\/(?<id>[^/]+)$/, 'apps', (call) =>
      builder.resourceAnswer(call, appShape(call.app)),
    ),
    builder.appRoute('versions', 'GET', /^\/v1\/apps\/(?<id>[^/]+)\/appStoreVersions$/, 'apps', (call) =>
      page(call, {
        ...builder.listing(builder.world.versionsOf(call.app.appId).map(versionShape), call.app),
        includes: VERSION_INCLUDES,
        filters: {
          platform: ({ attributes }) => attributes.platform,
          versionString: ({ attributes }) => attributes.versionString,
          appVersionState: ({ attributes }) => attributes.appVersionState,
          id: ({ id }) => id,
        },
      }),
    ),
  ];
}

/** Delivers the build that a client looks for, for apps whose builds nobody delivers through the control plane. */
function deliverMatching(world: SafariWorld, sought: URLSearchParams): void {
  const app = world.app(sought.get('filter[app]') ?? '');
  const spellings = (sought.get('filter[preReleaseVersion.version]') ?? '').split(',');
  const platform = PLATFORMS.find((each) => each === sought.get('filter[preReleaseVersion.platform]'));
  const version = spellings.at(-1);
  if (app?.deliversSought !== true || platform === undefined || version === undefined || version === '') return;
  const builds = world.buildsOf(app.appId);
  if (builds.some((build) => build.platform === platform && spellings.includes(build.version))) return;
  const now = world.clock.now();
  world.addBuild({
    id: randomUUID(),
    appId: app.appId,
    platform,
    version,
    number: String(builds.length + 1),
    uploadedAt: now,
    processedAt: now,
    outcome: 'VALID',
    audience: 'APP_STORE_ELIGIBLE',
    expired: false,
    usesNonExemptEncryption: false,
  });
}

function buildRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  const now = (): Date => builder.world.clock.now();
  return [
    builder.route('builds', 'GET', /^\/v1\/builds$/, (call, key) => {
      deliverMatching(builder.world, call.url.searchParams);
      const builds = builder.world.appsOf(key.issuerId).flatMap(({ appId }) => builder.world.buildsOf(appId));
      const train = ({ id }: Shape): { version?: string; platform?: string } => builder.world.build(id) ?? {};
      return page(call, {
        ...builder.listing(builds.map((build) => buildShape(build, now()))),
        includes: ['app', 'preReleaseVersion'],
        filters: {
          app: ({ id }) => builder.world.build(id)?.appId,
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
    builder.appRoute('answerEncryption', 'PATCH', /^\/v1\/builds\/(?<id>[^/]+)$/, 'builds', (call) => {
      const build = builder.world.build(call.id);
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
      return builder.resourceAnswer(call, buildShape(build, now()));
    }),
  ];
}
