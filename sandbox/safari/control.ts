import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { ControlRefusal } from '../control-refusal.js';
import {
  type Check,
  type Fields,
  type Checks,
  count,
  fields,
  flag,
  InvalidInput,
  integer,
  listOf,
  matching,
  nullable,
  object,
  oneOf,
  optional,
  presentFields,
  required,
  text,
} from '../input.js';
import type { ListedItem } from '../stand-in.js';
import { type BuildRun, COMPLETION_STATUSES, REFERENCE_KINDS } from './cloud.js';
import { customerReview, publishResponses } from './customer-reviews.js';
import { addKeyRoutes, readKey } from './key-control.js';
import { starsByStorefront } from './lookup.js';
import {
  type App,
  type AppBehavior,
  AUDIENCES,
  type Blocker,
  BUILD_OUTCOMES,
  EVENT_TYPES,
  type Build,
  type Platform,
  RELEASE_TYPES,
  type ReviewSubmission,
  VERSION_STATES,
  type Version,
} from './model.js';
import { approve, reject, versionsIn, withdraw } from './review.js';
import { installReport, partDamage } from './reports.js';
import { announced } from './webhooks.js';
import type { SafariWorld } from './world.js';

const NAMES: Readonly<Record<string, Platform>> = { macos: 'MAC_OS', ios: 'IOS' };

const platform: Check<Platform> = (value, what) => {
  const found = NAMES[text(value, what)];
  if (found === undefined) throw new InvalidInput(`"${what}" must be macos or ios`);
  return found;
};

const versionText = matching(/^\d+(\.\d+){0,2}$/, 'a version such as 1.2.3');

const blocker: Check<Blocker> = (value, what) => {
  const from = fields(value, what, ['code', 'title', 'detail']);
  return {
    code: required(from, 'code', text),
    title: required(from, 'title', text),
    ...(from.detail !== undefined && { detail: required(from, 'detail', text) }),
  };
};

const BEHAVIOR: Checks<AppBehavior> = {
  approveAfterSeconds: nullable(count),
  cancelSeconds: count,
  releaseSeconds: count,
  readySeconds: count,
  lacking: nullable(text),
  blockers: listOf(blocker),
  pageSize: nullable(integer(1, 200)),
  deliversSought: flag,
  installReports: listOf(installReport),
  partDamage,
  customerReviews: listOf(customerReview),
  storefronts: starsByStorefront,
  partBytes: integer(1, 1_000_000_000),
  partSeconds: count,
  uploadSeconds: count,
  uploadRefusal: nullable(text),
  buildSeconds: count,
  buildOutcome: oneOf(BUILD_OUTCOMES),
  encryptionInBuilds: nullable(flag),
  runsListedAfterSeconds: count,
};

/** The routes under `/__sim/safari`. */
export function safariControl(world: SafariWorld): Router {
  const router = Router();
  addKeyRoutes(router, world);
  router.post('/apps', (req, res) => {
    res.status(201).json(describe(world, createApp(world, req.body ?? {})));
  });
  router.get('/apps/:appId', (req, res) => {
    res.json(describe(world, requireApp(world, req.params.appId)));
  });
  router.patch('/apps/:appId', (req, res) => {
    const app = requireApp(world, req.params.appId);
    const from = fields(req.body ?? {}, 'an app', Object.keys(BEHAVIOR));
    res.json(describe(world, Object.assign(app, presentFields(from, BEHAVIOR))));
  });
  router.post('/apps/:appId/versions', (req, res) => {
    const app = requireApp(world, req.params.appId);
    putVersion(world, app, fields(req.body ?? {}, 'a version'));
    res.status(201).json(describe(world, app));
  });
  router.post('/apps/:appId/deliver', (req, res) => {
    res.status(201).json(deliver(world, requireApp(world, req.params.appId), req.body ?? {}));
  });
  addCloudRoutes(router, world);
  router.patch('/apps/:appId/webhooks', (req, res) => {
    const app = requireApp(world, req.params.appId);
    const { change } = fields(req.body ?? {}, 'a change', ['change']);
    for (const webhook of world.webhooksOf(app.appId))
      if (change === null) world.webhooks.delete(webhook.id);
      else webhook.enabled = required(fields(change, 'change', ['enabled']), 'enabled', flag);
    res.status(204).end();
  });
  router.post('/apps/:appId/announce', (req, res) => {
    const app = requireApp(world, req.params.appId);
    const from = fields(req.body ?? {}, 'an announcement', ['type', 'instanceId', 'id']);
    const type = required(from, 'type', oneOf(EVENT_TYPES));
    const listening = world.webhooksOf(app.appId).filter((one) => one.enabled && one.eventTypes.includes(type));
    const instanceId = optional(from, 'instanceId', text) ?? randomUUID();
    res.json(listening.map((one) => announced(one, type, instanceId, optional(from, 'id', text))));
  });
  for (const [action, change] of Object.entries(ACTIONS)) {
    router.post(`/apps/:appId/${action}`, (req, res) => {
      const app = requireApp(world, req.params.appId);
      const from = fields(req.body ?? {}, 'the body', ['platform']);
      change(world, app, optional(from, 'platform', platform) ?? 'MAC_OS');
      res.json(describe(world, app));
    });
  }
  return router;
}

/** Creates what `POST /__sim/seed` contains under `safari`: keys, each with its apps. */
export function seedSafari(world: SafariWorld, body: unknown): unknown {
  const from = fields(body, 'safari', ['keys']);
  const keys = required(from, 'keys', listOf(object)).map(({ apps, ...options }) => {
    const credentials = world.keys.create(readKey(options));
    const list = apps === undefined ? [] : listOf(object)(apps, 'apps');
    const made = list.map((app) => describe(world, createApp(world, { ...app, issuerId: credentials.teamId })));
    return { ...credentials, apps: made };
  });
  return { keys };
}

/** Delivers a build, as Xcode does. */
export function deliver(world: SafariWorld, app: App, body: unknown): Build {
  const from = fields(body, 'a build', [
    'platform',
    'version',
    'build',
    'processingSeconds',
    'outcome',
    'audience',
    'usesNonExemptEncryption',
    'expired',
  ]);
  const now = world.clock.now();
  const on = optional(from, 'platform', platform) ?? 'MAC_OS';
  return world.addBuild({
    id: randomUUID(),
    appId: app.appId,
    platform: on,
    version: required(from, 'version', versionText),
    number: optional(from, 'build', text) ?? String(world.buildsOf(app.appId).length + 1),
    // Builds of the same millisecond keep their order.
    uploadedAt: new Date(now.getTime() + world.buildsOf(app.appId).length),
    processedAt: new Date(now.getTime() + (optional(from, 'processingSeconds', count) ?? 0) * 1000),
    outcome: optional(from, 'outcome', oneOf(BUILD_OUTCOMES)) ?? 'VALID',
    audience: optional(from, 'audience', oneOf(AUDIENCES)) ?? 'APP_STORE_ELIGIBLE',
    expired: optional(from, 'expired', flag) ?? false,
    usesNonExemptEncryption: optional(from, 'usesNonExemptEncryption', nullable(flag)) ?? null,
  });
}

/** What its author does in Xcode Cloud and the repository, and how runs end. */
function addCloudRoutes(router: Router, world: SafariWorld): void {
  router.post('/apps/:appId/workflows', (req, res) => {
    const from = fields(req.body ?? {}, 'a workflow', ['isEnabled']);
    const isEnabled = optional(from, 'isEnabled', flag) ?? true;
    res.status(201).json(world.cloud.addWorkflow(requireApp(world, req.params.appId), isEnabled));
  });
  router.post('/apps/:appId/references', (req, res) => {
    const from = fields(req.body ?? {}, 'a reference', ['name', 'kind']);
    const kind = optional(from, 'kind', oneOf(REFERENCE_KINDS)) ?? 'TAG';
    const app = requireApp(world, req.params.appId);
    res.status(201).json(world.cloud.addReference(app, required(from, 'name', text), kind));
  });
  router.post('/apps/:appId/runs', (req, res) => {
    const app = requireApp(world, req.params.appId);
    const from = fields(req.body ?? {}, 'a run', ['workflowId', 'referenceId']);
    const workflow = world.cloud.workflow(required(from, 'workflowId', text));
    const reference = world.cloud.reference(required(from, 'referenceId', text));
    if (workflow?.appId !== app.appId || reference?.appId !== app.appId)
      throw new ControlRefusal(404, `app ${app.appId} has no such workflow or reference`);
    res.status(201).json(world.cloud.start(app, workflow, reference, world.clock.now()));
  });
  router.post('/apps/:appId/runs/:number', (req, res) => {
    const app = requireApp(world, req.params.appId);
    const from = fields(req.body ?? {}, 'an end', ['status', 'builds']);
    world.cloud.finish(app, Number(req.params.number), required(from, 'status', oneOf(COMPLETION_STATUSES)));
    for (const build of listOf(object)(from.builds ?? [], 'builds')) deliver(world, app, build);
    res.json(describe(world, app));
  });
}

function createApp(world: SafariWorld, body: unknown): App {
  const known = ['issuerId', 'appId', 'bundleId', 'name', 'locales', 'versions', ...Object.keys(BEHAVIOR)];
  const from = fields(body, 'an app', known);
  const app = world.createApp(required(from, 'issuerId', text), {
    ...presentFields(from, BEHAVIOR),
    appId: optional(from, 'appId', text),
    bundleId: optional(from, 'bundleId', text),
    name: optional(from, 'name', text),
    locales: optional(from, 'locales', listOf(text)),
  });
  const versions = listOf(object)(from.versions ?? [], 'versions');
  for (const version of versions) putVersion(world, app, version);
  return app;
}

/** Creates a version in any state, as if in App Store Connect. One in review is also in a submission. */
function putVersion(world: SafariWorld, app: App, from: Fields): void {
  fields(from, 'a version', [
    'platform',
    'version',
    'state',
    'releaseType',
    'earliestReleaseDate',
    'whatsNew',
    'build',
  ]);
  const on = optional(from, 'platform', platform) ?? 'MAC_OS';
  const versionString = required(from, 'version', versionText);
  const state = optional(from, 'state', oneOf(VERSION_STATES)) ?? 'PREPARE_FOR_SUBMISSION';
  const build =
    (optional(from, 'build', flag) ?? false)
      ? deliver(world, app, { platform: nameOf(on), version: versionString })
      : null;
  const version = world.addVersion(app, on, versionString, {
    state,
    releaseType: optional(from, 'releaseType', oneOf(RELEASE_TYPES)) ?? 'AFTER_APPROVAL',
    earliestReleaseDate: optional(from, 'earliestReleaseDate', text) ?? null,
    ...(build && { buildId: build.id, buildAttachedAt: build.uploadedAt }),
  });
  const whatsNew = optional(from, 'whatsNew', text);
  for (const one of version.localizations) one.whatsNew = whatsNew ?? null;
  const review = REVIEW_OF[state];
  if (review === undefined) return;
  world.addReview(app, on, {
    state: review,
    submittedAt: review === 'READY_FOR_REVIEW' ? null : world.clock.now(),
    items: [
      {
        id: randomUUID(),
        versionId: version.id,
        state: review === 'UNRESOLVED_ISSUES' ? 'REJECTED' : 'READY_FOR_REVIEW',
      },
    ],
  });
}

const REVIEW_OF: Readonly<Partial<Record<Version['state'], ReviewSubmission['state']>>> = {
  READY_FOR_REVIEW: 'READY_FOR_REVIEW',
  WAITING_FOR_REVIEW: 'WAITING_FOR_REVIEW',
  IN_REVIEW: 'IN_REVIEW',
  REJECTED: 'UNRESOLVED_ISSUES',
};

/** Actions of Apple, or of the developer in App Store Connect, on one platform of an app. */
const ACTIONS: Readonly<Record<string, (world: SafariWorld, app: App, on: Platform) => void>> = {
  'begin-review': (world, app, on) => {
    const review = inReview(world, app, on);
    review.state = 'IN_REVIEW';
    for (const version of versionsIn(world, review)) version.state = 'IN_REVIEW';
  },
  approve: (world, app, on) => approve(world, app, inReview(world, app, on), world.clock.now()),
  reject: (world, app, on) => reject(world, inReview(world, app, on)),
  cancel: (world, app, on) => withdraw(world, inReview(world, app, on)),
  'publish-responses': (_world, app) => publishResponses(app),
  'add-event': (world, app, on) => {
    const open = world.reviewsOf(app.appId, on).find(({ state }) => state === 'READY_FOR_REVIEW');
    const review = open ?? world.addReview(app, on);
    review.items.push({ id: randomUUID(), versionId: null, state: 'READY_FOR_REVIEW' });
  },
};

function inReview(world: SafariWorld, app: App, on: Platform): ReviewSubmission {
  const found = world
    .reviewsOf(app.appId, on)
    .find(({ state }) => state === 'WAITING_FOR_REVIEW' || state === 'IN_REVIEW');
  if (!found) throw new ControlRefusal(409, `app ${app.appId} has nothing in review for ${on}`);
  return found;
}

/** An app as App Store Connect lists it: once for each platform with a version, and for macOS in any case. */
export function listed(world: SafariWorld, { appId, name, approveAfterSeconds }: App): readonly ListedItem[] {
  const all = world.versionsOf(appId).toReversed();
  return Object.entries(NAMES).flatMap(([on, platformId]) => {
    const versions = all.filter((one) => one.platform === platformId);
    if (versions.length === 0 && on !== 'macos') return [];
    return {
      id: on === 'macos' ? appId : `${appId} (${on})`,
      name,
      path: `/safari/apps/${appId}`,
      platform: on,
      inReview: versions.find(({ state }) => /^(?:WAITING_FOR|IN)_REVIEW$/.test(state))?.versionString ?? null,
      versions: versions.map(({ versionString, state }) => ({ version: versionString, state })),
      approveAfterSeconds,
    };
  });
}

const nameOf = (on: Platform): string => Object.entries(NAMES).find(([, value]) => value === on)?.[0] ?? on;

function requireApp(world: SafariWorld, appId: string): App {
  const app = world.app(appId);
  if (!app) throw new ControlRefusal(404, `no app ${appId}`);
  return app;
}

/** An app and everything that belongs to it, as the control plane returns it. */
export interface AppState extends App {
  readonly versions: readonly Version[];
  readonly builds: readonly Build[];
  readonly reviews: readonly ReviewSubmission[];
  readonly runs: readonly BuildRun[];
}

function describe(world: SafariWorld, app: App): AppState {
  const { appId } = app;
  const [versions, builds, reviews] = [world.versionsOf(appId), world.buildsOf(appId), world.reviewsOf(appId)];
  return { ...app, versions, builds, reviews, runs: world.cloud.runsOf(appId) };
}
