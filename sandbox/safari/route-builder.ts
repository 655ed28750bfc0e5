import { type Answer, Refusal } from '../answer.js';
import { jsonOrNull } from '../input.js';
import type { StoreCall, StoreRoute, Subject } from '../stand-in.js';
import { type Listing, type Shape, single } from './documents.js';
import { agreementsMissing, notFound, rateLimited } from './errors.js';
import { type ApiKey, countCall } from './keys.js';
import type { App, Version } from './model.js';
import { assertListed } from './parameters.js';
import { readDocument, relationship } from './requests.js';
import { lookUpIn } from './resources.js';
import type { SafariWorld } from './world.js';

/** A call about one app of the caller's team. */
export interface AppCall extends StoreCall {
  readonly app: App;
  readonly id: string;
}

/** The app of a resource, by its type. */
const APP_OF: Readonly<Record<string, (world: SafariWorld, id: string) => string | undefined>> = {
  apps: (_, id) => id,
  builds: (world, id) => world.build(id)?.appId,
  buildUploads: (world, id) => world.uploads.appIdOf(id),
  buildUploadFiles: (world, id) => world.uploads.appIdOf(id),
  appStoreVersions: (world, id) => world.version(id)?.appId,
  appStoreVersionLocalizations: (world, id) => world.versionOfLocalization(id)?.appId,
  appStoreVersionPhasedReleases: (world, id) => world.versionOfPhased(id)?.appId,
  analyticsReportRequests: (world, id) => world.reportRequests.get(id)?.appId,
  // Their ids begin with that of the app.
  analyticsReports: (_, id) => id.split('.')[0],
  analyticsReportInstances: (_, id) => id.split('.')[0],
  webhooks: (world, id) => world.webhooks.get(id)?.appId,
  reviewSubmissions: (world, id) => world.review(id)?.appId,
  reviewSubmissionItems: (world, id) => world.reviewOfItem(id)?.appId,
  ciWorkflows: (world, id) => world.cloud.appIdOf(id),
  ciBuildRuns: (world, id) => world.cloud.appIdOf(id),
  // A repository has the id of its app.
  scmRepositories: (_, id) => id,
  customerReviews: (world, id) => world.customerReview(id)?.app.appId,
  customerReviewResponses: (world, id) => world.customerReview(id)?.app.appId,
};

/** Builds the routes of the API: authentication, the app of a call, and the hourly limit. */
export class SafariRouteBuilder {
  constructor(readonly world: SafariWorld) {}

  now(): Date {
    return this.world.clock.now();
  }

  listing(shapes: readonly Shape[], app?: App): Listing {
    return {
      shapes,
      filters: {},
      includes: [],
      lookUp: lookUpIn(this.world, this.now()),
      pageSize: app?.pageSize ?? null,
    };
  }

  resourceAnswer(call: StoreCall, shape: Shape, status: 200 | 201 = 200, includes: readonly string[] = []): Answer {
    return single(call, status, shape, includes, lookUpIn(this.world, this.now()));
  }

  appOf(key: ApiKey, appId: string): App {
    return this.world.requireApp(key.issuerId, appId, 'apps', appId);
  }

  /** A call on a version by its own path. */
  versionRoute(
    operation: string,
    method: string,
    rest: string,
    handle: (call: AppCall, version: Version) => Answer,
  ): StoreRoute {
    const path = new RegExp(`^/v1/appStoreVersions/(?<id>[^/]+)${rest}$`);
    return this.appRoute(operation, method, path, 'appStoreVersions', (call) => {
      const version = this.world.version(call.id);
      if (!version) throw notFound('appStoreVersions', call.id);
      return handle(call, version);
    });
  }

  /** A `POST` with a relationship to a version. */
  versionActionRoute(operation: string, type: string, handle: (call: AppCall, version: Version) => Answer): StoreRoute {
    return this.route(operation, 'POST', new RegExp(`^/v1/${type}$`), (call, key) => {
      const id = relationship(readDocument(call.body, type), 'appStoreVersion');
      const version = this.world.version(id);
      const app = this.world.requireApp(key.issuerId, version?.appId, 'appStoreVersions', id);
      if (!version) throw notFound('appStoreVersions', id);
      return this.countingWrites(app, () => handle({ ...call, app, id }, version));
    });
  }

  /** A call about a resource of one app, which must be the team's. Writes are counted. */
  appRoute(
    operation: string,
    method: string,
    path: RegExp,
    type: string,
    handle: (call: AppCall, key: ApiKey) => Answer,
  ): StoreRoute {
    return this.route(operation, method, path, (call, key) => {
      const id = call.params.id ?? '';
      const app = this.world.requireApp(key.issuerId, this.appIdOf(type, id), type, id);
      const act = (): Answer => handle({ ...call, app, id }, key);
      return method === 'GET' ? act() : this.countingWrites(app, act);
    });
  }

  private appIdOf(type: string, id: string): string | undefined {
    return APP_OF[type]?.(this.world, id);
  }

  countingWrites(app: App, act: () => Answer): Answer {
    try {
      const answer = act();
      app.counters.writes += 1;
      return answer;
    } catch (error) {
      if (error instanceof Refusal) app.counters.refused += 1;
      throw error;
    }
  }

  /**
   * The checks before every call: token, hourly limit, agreements, query parameters (src/stores/README.md#safari-conventions). The
   * header with what is left is on every answer.
   */
  route(operation: string, method: string, path: RegExp, handle: (call: StoreCall, key: ApiKey) => Answer): StoreRoute {
    return {
      operation,
      method,
      path,
      body: 'buffer',
      subject: (call) => this.subjectOf(call),
      visibleBody: ({ body }) => (body.length === 0 ? null : jsonOrNull(body)),
      handle: async (call) => {
        const key = await this.world.keys.authenticate(call.headers.authorization, this.now());
        const left = countCall(key, this.now());
        const header = { 'X-Rate-Limit': `user-hour-lim:${key.hourlyLimit};user-hour-rem:${Math.max(left, 0)};` };
        const limited = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, ...header } });
        try {
          if (left < 0) throw rateLimited();
          if (key.agreementsMissing) throw agreementsMissing();
          assertListed(operation, call);
          return limited(handle(call, key));
        } catch (error) {
          throw error instanceof Refusal ? new Refusal(limited(error.answer), error.message) : error;
        }
      },
    };
  }

  /** The team in a token and the app of a call, as far as the request shows them. */
  private subjectOf({ url, params, headers, body }: StoreCall): Subject {
    const publisherId = this.world.keys.claimedBy(headers.authorization)?.issuerId;
    const bundleId = url.searchParams.get('filter[bundleId]');
    const itemId =
      url.searchParams.get('filter[app]') ??
      (bundleId === null ? null : this.world.byBundleId(bundleId)?.appId) ??
      (params.id === undefined ? sentAppId(this.world, body) : this.appIdOf(typeOf(url), params.id));
    return { publisherId, itemId: itemId ?? undefined };
  }
}

const typeOf = ({ pathname }: URL): string => pathname.split('/')[2] ?? '';

/** The app of a new resource, by any of its relationships. */
function sentAppId(world: SafariWorld, body: Buffer): string | undefined {
  const found =
    /"(apps|appStoreVersions|reviewSubmissions|customerReviews|buildUploads|ciWorkflows)"\s*,\s*"id"\s*:\s*"([^"]+)"/.exec(
      body.toString('utf8'),
    );
  const [, type, id = ''] = found ?? [];
  if (type === 'apps') return id;
  if (type === 'customerReviews') return world.customerReview(id)?.app.appId;
  if (type === 'ciWorkflows') return world.cloud.appIdOf(id);
  if (type === 'buildUploads') return world.uploads.appIdOf(id);
  return type === 'reviewSubmissions' ? world.review(id)?.appId : world.version(id)?.appId;
}
