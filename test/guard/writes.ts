import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { generate } from 'otplib';
import { reviewedAtAppStore } from '../listings/reviewed.js';
import { SECRETS, signedBy } from '../support/payment-signers.js';
import { packageOf, zipOf } from '../support/packages.js';
import { oneOffSale } from '../support/purchases.js';
import type { Answer } from '../support/api.js';
import { digestOf, newSecret } from '../../src/common/fields/secrets.js';
import { DataSource, ImportWorker, PasswordResetsService, Sealer, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { proveAddress } from '../support/prove-address.js';
import type { ManyRows } from './many-rows.js';
import { askedFor, linked, tried, unlisted, type Resources } from './every-resource.js';

/** Where writing routes are tried. */
export interface Stage {
  readonly world: World;
  readonly resources: Resources;
  readonly manyRows: ManyRows;
  /** How many children what is written to has. */
  readonly many: number;
}

type Ask = () => Promise<Answer>;

const apiOf = ({ world, resources: { owner } }: Stage) => world.api.as({ token: owner.token });
const sessionOf = ({ world, resources: { owner } }: Stage) => world.api.as({ cookie: owner.cookie });
const RULE = { name: 'Releases', repository: 'acme/tab-counter', ref: 'refs/tags/v*', scopes: ['artifacts:write'] };
/** Higher than every version before it. */
let versions = 100;
const nextVersion = (): string => `${(versions += 1)}.0.0`;

async function licensed({ world, resources: { owner }, manyRows, many }: Stage) {
  const license = await world.given.licensed({ extensionId: owner.extensionId }, owner);
  const device = { code: license.code, extensionId: owner.extensionId, fingerprint: randomUUID() };
  expectStatus(await world.api.as(owner).patch(`/licenses/${license.licenseId}`, { maxActivations: 100 }), 200);
  expectStatus(await world.api.post('/licensing/activate', device), 200);
  await manyRows.copy('seat', await manyRows.original('seat', `license_id = '${license.licenseId}'`), many);
  return { ...license, device };
}

/** A license with members, the first of whom has as many devices. */
async function team(stage: Stage) {
  const license = await licensed(stage);
  const { manyRows, many } = stage;
  expectStatus(await apiOf(stage).patch(`/licenses/${license.licenseId}`, { maxMembers: 1000 }), 200);
  const invite = (): Promise<Answer> =>
    apiOf(stage).post(`/licenses/${license.licenseId}/members`, { email: `${randomUUID()}@member.example` });
  const { id } = expectStatus(await invite(), 201).body;
  await manyRows.copy('license_member', id, many);
  const seat = await manyRows.original('seat', `license_id = '${license.licenseId}'`);
  const ofMember = { member_id: `'${id}'`, fingerprint_digest: "sha256(convert_to(id::text || n, 'UTF8'))" };
  await manyRows.copy('seat', seat, many, ofMember);
  return { invite, path: `/licenses/${license.licenseId}/members/${id}` };
}

async function extended({ world, resources: { owner }, manyRows, many }: Stage): Promise<string> {
  const extensionId = await world.given.extension(owner);
  await world.given.plan(owner, extensionId);
  expectStatus(await world.given.pinned({ ...owner, extensionId }, '1.0.0'), 201);
  for (const table of ['target', 'artifact', 'event', 'plan'] as const)
    await manyRows.copy(table, await manyRows.original(table, `extension_id = '${extensionId}'`), many);
  return extensionId;
}

/** An endpoint for which much is waiting. */
async function listening({ manyRows, many }: Stage): Promise<string> {
  const [id = ''] = await manyRows.copy('notification_endpoint', await manyRows.original('notification_endpoint'), 1);
  const waiting = { endpoint_id: `'${id}'`, status: "'waiting'" };
  await manyRows.copy('notification_delivery', await manyRows.original('notification_delivery'), many, waiting);
  return id;
}

const onLicense =
  (call: (stage: Stage, path: string, license: Awaited<ReturnType<typeof licensed>>) => Promise<Answer>) =>
  async (stage: Stage): Promise<Ask> => {
    const license = await licensed(stage);
    return () => call(stage, `/licenses/${license.licenseId}`, license);
  };

/** Adds a further target. */
const added = (stage: Stage): Promise<Answer> =>
  apiOf(stage).post(`/extensions/${stage.resources.owner.extensionId}/targets`, {
    store: 'chrome',
    storeItemId: randomUUID(),
  });

/** A target whose store rejected version 1.1.0. @returns its path */
async function rejected({ world, resources }: Stage): Promise<string> {
  const mine = await world.given.publishable({ published: '1.0.0' }, resources.owner);
  const path = `/extensions/${mine.extensionId}`;
  const reconcile = async () =>
    expectStatus(await world.api.as({ token: resources.owner.token }).post(`${path}/reconcile`), 200);
  expectStatus(await world.given.pinned(mine, '1.1.0'), 201);
  await reconcile();
  await world.control.act(mine.itemId, 'reject');
  await reconcile();
  return `${path}/targets/${mine.targetId}`;
}

const LISTENER = { kind: 'webhook', url: 'http://127.0.0.1:9/' };

/** A tenant with one endpoint: the owner of all resources may have as many as are allowed. */
async function listener({ world }: Stage) {
  const api = world.api.as(await world.given.tenant());
  const { id } = expectStatus(await api.post('/notifications/endpoints', LISTENER), 201).body;
  return { api, path: `/notifications/endpoints/${id}` };
}

/** Who has sent a file of licenses: the owner of all resources may send only a few. */
async function importer({ world }: Stage) {
  const owner = await world.given.tenant();
  const extensionId = await world.given.extension(owner);
  const id = await world.given.importedFile(owner, extensionId);
  const post = (path: string, body?: object): Promise<Answer> => world.api.as({ token: owner.token }).post(path, body);
  return { owner, extensionId, id, post };
}

const onTarget =
  (change: string, before: readonly string[] = []) =>
  async (stage: Stage): Promise<Ask> => {
    const { id, extensionId } = expectStatus(await added(stage), 201).body;
    const path = `/extensions/${extensionId}/targets/${id}`;
    for (const one of before) expectStatus(await apiOf(stage).post(`${path}/${one}`), 200);
    return () => apiOf(stage).post(`${path}/${change}`);
  };

const logIn = ({ world, resources: { owner } }: Stage): Promise<Answer> =>
  world.api.post('/auth/login', { email: owner.email, password: owner.password });

/** A user who may have a second factor. */
async function proven({ world }: Stage): Promise<Tenant> {
  const tenant = await world.given.tenant();
  await proveAddress(world, tenant);
  return tenant;
}

/** A user whose authenticator app has a secret, and its first code. */
async function withApp(stage: Stage) {
  const { world } = stage;
  const { cookie, password } = await proven(stage);
  const post = (path: string, body?: object): Promise<Answer> =>
    world.api.as({ cookie }).post(`/auth/second-factor${path}`, body);
  const { secret } = expectStatus(await post('', { password }), 201).body;
  return { post, password, code: await generate({ secret, epoch: Math.floor(world.clock.now().getTime() / 1000) }) };
}

async function withSecondFactor(stage: Stage) {
  const { code, ...user } = await withApp(stage);
  const { recoveryCodes } = expectStatus(await user.post('/confirm', { code }), 200).body;
  return { ...user, recoveryCodes };
}

/** A trial that runs. */
async function trialOf(stage: Stage): Promise<string> {
  const { world, resources } = stage;
  const extensionId = await world.given.extension(resources.owner);
  return tried(world, { ...resources.owner, extensionId }, await world.given.plan(resources.owner, extensionId));
}

const onReview =
  (ask: (stage: Stage, path: string) => Promise<Answer>, before?: (stage: Stage, path: string) => Promise<Answer>) =>
  async (stage: Stage): Promise<Ask> => {
    const path = `/reviews/${(await reviewedAtAppStore(stage.world, stage.resources.owner)).reviewId}`;
    if (before !== undefined) expectStatus(await before(stage, path), 200);
    return () => ask(stage, path);
  };
const answered = (stage: Stage, path: string): Promise<Answer> =>
  apiOf(stage).post(`${path}/answer`, { text: 'Thank you.' });

/** What a processor's credential is made of. */
/** Path of the signing key of a target that has none. */
async function signingKey({ world, resources }: Stage): Promise<string> {
  const { extensionId, targetId } = await world.given.publishable({}, resources.owner);
  return `/extensions/${extensionId}/targets/${targetId}/signing-key`;
}

const processorCredential = () => ({ store: 'stripe', credentials: { webhookSecret: `whsec_${randomUUID()}` } });

/** A sale, as its processor notifies of it. */
const sale =
  (path: string) =>
  async ({ world, resources: { owner } }: Stage): Promise<Ask> => {
    const at = new Date(Math.floor(world.clock.now().getTime() / 1000) * 1000);
    const [first] = oneOffSale('stripe', { tag: randomUUID(), email: 'buyer@example.com', at });
    const raw = JSON.stringify(first);
    const headers = { ...signedBy('stripe', SECRETS.stripe, raw, world.clock.now()) };
    return () => world.api.post(`/licensing/webhooks/${path}/${owner.tenantId}`, undefined, { raw, headers });
  };

/** What writing routes are asked for, by operation: everything around it is made ready first. */
export const WRITES: Readonly<Record<string, (stage: Stage) => Promise<Ask>>> = {
  ExtensionsController_create: async (stage) => () => apiOf(stage).post('/extensions', { name: randomUUID() }),
  ExtensionsController_update: async (stage) => () =>
    apiOf(stage).patch(`/extensions/${stage.resources.owner.extensionId}`, { name: randomUUID() }),
  ExtensionsController_delete: async (stage) => {
    const id = await extended(stage);
    return () => apiOf(stage).delete(`/extensions/${id}`);
  },
  TargetsController_create: async (stage) => () => added(stage),
  TargetsController_update: async (stage) => {
    const { id, extensionId } = expectStatus(await added(stage), 201).body;
    return () => apiOf(stage).patch(`/extensions/${extensionId}/targets/${id}`, { storeItemId: randomUUID() });
  },
  TargetsController_pause: onTarget('pause'),
  TargetsController_resume: onTarget('resume', ['pause']),
  TargetsController_release: async (stage) => {
    const { world, resources } = stage;
    const mine = await world.given.publishable({ published: '1.0.0' }, resources.owner);
    const path = `/extensions/${mine.extensionId}/targets/${mine.targetId}`;
    expectStatus(await apiOf(stage).patch(path, { release: 'manual' }), 200);
    expectStatus(await world.given.pinned(mine, '1.1.0'), 201);
    expectStatus(await apiOf(stage).post(`/extensions/${mine.extensionId}/reconcile`), 200);
    return () => apiOf(stage).post(`${path}/release`);
  },
  TargetsController_resubmit: async (stage) => {
    const path = await rejected(stage);
    return () => apiOf(stage).post(`${path}/resubmit`);
  },
  RejectionsController_record: async (stage) => {
    const path = await rejected(stage);
    const said = { version: '1.1.0', reason: `It tracks users (${randomUUID()}).` };
    return () => apiOf(stage).post(`${path}/rejection`, said);
  },
  TargetsController_delete: async (stage) => {
    const { id, extensionId } = expectStatus(await added(stage), 201).body;
    return () => apiOf(stage).delete(`/extensions/${extensionId}/targets/${id}`);
  },
  ArtifactsController_push: async (stage) => {
    const { extensionId } = stage.resources.owner;
    const version = nextVersion();
    const zip = new Uint8Array(await packageOf(version));
    return () => apiOf(stage).push({ extension: extensionId, version }, zip);
  },
  ArtifactsController_pin: async (stage) => {
    const { owner } = stage.resources;
    const { id } = expectStatus(await stage.world.given.pinned(owner, nextVersion()), 201).body.artifact;
    return () => apiOf(stage).post(`/artifacts/${id}/pin`, { store: 'edge' });
  },
  FindingsController_override: async (stage) => {
    const { extensionId } = stage.resources.owner;
    const version = nextVersion();
    const zip = new Uint8Array(await packageOf(version, { update_url: 'https://example.com/updates.xml' }));
    const { artifact, findings } = expectStatus(
      await apiOf(stage).push({ extension: extensionId, version }, zip),
      201,
    ).body;
    const { id } = findings.find(({ code }: { readonly code: string }) => code === 'has_update_url');
    return () => apiOf(stage).post(`/artifacts/${artifact.id}/findings/${id}/override`);
  },
  ArtifactsController_attachSource: async (stage) => {
    const { owner } = stage.resources;
    const { id } = expectStatus(await stage.world.given.pinned(owner, nextVersion()), 201).body.artifact;
    const raw = new Uint8Array(await zipOf({ 'source.ts': randomUUID() }));
    const headers = { 'content-type': 'application/zip' };
    return () => apiOf(stage).post(`/artifacts/${id}/source`, undefined, { raw, headers });
  },
  ApprovalsController_approve: async (stage) => {
    const { owner } = stage.resources;
    const { id } = expectStatus(await stage.world.given.pinned(owner, nextVersion()), 201).body.artifact;
    const asked = await askedFor(stage.world, id);
    return () => sessionOf(stage).post(`/approvals/${asked}/approve`);
  },
  ApprovalsController_reject: async (stage) => {
    const { owner } = stage.resources;
    const { id } = expectStatus(await stage.world.given.pinned(owner, nextVersion()), 201).body.artifact;
    const asked = await askedFor(stage.world, id);
    return () => sessionOf(stage).post(`/approvals/${asked}/reject`, { reason: 'It is late.' });
  },
  RollbacksController_rollBack: async (stage) => {
    const { extensionId, targetId } = stage.resources.owner;
    const rollback = { to: '0.9.0', version: nextVersion(), reason: 'It broke.' };
    return () => apiOf(stage).post(`/extensions/${extensionId}/targets/${targetId}/rollback`, rollback);
  },
  ReconcileController_reconcile: async (stage) => {
    const { world, resources, manyRows, many } = stage;
    const mine = await world.given.publishable({ published: '1.0.0' }, resources.owner);
    const own = `extension_id = '${mine.extensionId}'`;
    await manyRows.copy('target', await manyRows.original('target', `${own} and not enabled`), many);
    expectStatus(await world.given.pinned(mine, '1.1.0'), 201);
    await manyRows.copy('artifact', await manyRows.original('artifact', own), many);
    expectStatus(await apiOf(stage).post(`/extensions/${mine.extensionId}/reconcile`), 200);
    await world.control.act(mine.itemId, 'approve');
    // It goes live, and everybody who listens is told.
    return () => apiOf(stage).post(`/extensions/${mine.extensionId}/reconcile`);
  },
  ReviewsController_markRead: onReview((stage, path) => apiOf(stage).post(`${path}/read`)),
  ReviewsController_markUnread: onReview(
    (stage, path) => apiOf(stage).post(`${path}/unread`),
    (stage, path) => apiOf(stage).post(`${path}/read`),
  ),
  ReviewsController_markAll: onReview((stage) => apiOf(stage).post('/reviews/read')),
  ReviewsController_answer: onReview(answered),
  ReviewsController_withdraw: onReview((stage, path) => apiOf(stage).delete(`${path}/answer`), answered),
  BrandingController_update: async (stage) => () => apiOf(stage).patch('/branding', { displayName: randomUUID() }),
  PlansController_create: async (stage) => () =>
    apiOf(stage).post('/plans', { extensionId: stage.resources.owner.extensionId, tier: randomUUID().slice(0, 30) }),
  PlansController_update: async (stage) => {
    const planId = await stage.world.given.plan(stage.resources.owner, stage.resources.owner.extensionId);
    return () => apiOf(stage).patch(`/plans/${planId}`, { maxActivations: randomInt(4, 100) });
  },
  PlansController_setProducts: async (stage) => {
    const { world, resources, many } = stage;
    const planId = await world.given.plan(resources.owner, resources.owner.extensionId);
    const products = Array.from({ length: many }, () => ({ processor: 'paddle', productId: randomUUID() }));
    return () => apiOf(stage).call('PUT', `/plans/${planId}/products`, products);
  },
  PlansController_delete: async (stage) => {
    const { world, resources } = stage;
    const planId = await world.given.plan(resources.owner, resources.owner.extensionId);
    return () => apiOf(stage).delete(`/plans/${planId}`);
  },
  LicensesController_issue: async (stage) => {
    const { world, resources } = stage;
    const planId = await world.given.plan(resources.owner, resources.owner.extensionId);
    return () => apiOf(stage).post('/licenses', { planId, buyerEmail: 'buyer@example.com' });
  },
  BatchesController_issue: async (stage) => {
    const { world, resources, many } = stage;
    const planId = await world.given.plan(resources.owner, resources.owner.extensionId);
    const emails = Array.from({ length: many }, () => `${randomUUID()}@example.com`);
    return () => apiOf(stage).post('/licenses/batch', { planId, emails, delivery: 'mail' });
  },
  LicensesController_update: onLicense((stage, path) => apiOf(stage).patch(path, { maxActivations: 99 })),
  LicensesController_extend: async (stage) => {
    const { licenseId } = await licensed(stage);
    const path = `/licenses/${licenseId}`;
    expectStatus(await apiOf(stage).patch(path, { expiresAt: '2099-01-31T12:00:00Z' }), 200);
    return () => apiOf(stage).post(`${path}/extend`, { count: 1, unit: 'years' });
  },
  LicensesController_suspend: onLicense((stage, path) => apiOf(stage).post(`${path}/suspend`)),
  LicensesController_reinstate: async (stage) => {
    const { licenseId } = await licensed(stage);
    expectStatus(await apiOf(stage).post(`/licenses/${licenseId}/suspend`), 200);
    return () => apiOf(stage).post(`/licenses/${licenseId}/reinstate`);
  },
  ResendController_resend: onLicense((stage, path) => apiOf(stage).post(`${path}/resend`)),
  LicensesController_rotate: onLicense((stage, path) => apiOf(stage).post(`${path}/rotate`)),
  LicensesController_revoke: onLicense((stage, path) => apiOf(stage).post(`${path}/revoke`)),
  LicensesController_find: onLicense((stage, _path, { code }) => apiOf(stage).post('/licenses/find', { code })),
  CustomersController_find: async (stage) => {
    const { licenseId } = await licensed(stage);
    const { buyerEmail } = expectStatus(await apiOf(stage).get(`/licenses/${licenseId}`), 200).body;
    return () => apiOf(stage).post('/customers/find', { email: buyerEmail });
  },
  ImportsController_upload: async (stage) => {
    const { owner, extensionId } = await importer(stage);
    const raw = ['email,tier,order', ...Array.from({ length: stage.many }, (_, at) => `a@b.example,pro,${at}`)].join(
      '\n',
    );
    const headers = { 'content-type': 'text/csv' };
    const path = `/license-imports?extension=${extensionId}`;
    return () => stage.world.api.as({ token: owner.token }).post(path, undefined, { raw, headers });
  },
  ImportsController_preview: async (stage) => {
    const { post, id } = await importer(stage);
    return () => post(`/license-imports/${id}/preview`, { tiers: { other: '-' } });
  },
  ImportsController_start: async (stage) => {
    const { post, id } = await importer(stage);
    await stage.world.app.get(ImportWorker).tick();
    return () => post(`/license-imports/${id}/start`, { skipFaults: true });
  },
  ImportsController_cancel: async (stage) => {
    const { post, id } = await importer(stage);
    return () => post(`/license-imports/${id}/cancel`);
  },
  ImportsController_delete: async (stage) => {
    const { owner, id } = await importer(stage);
    return () => stage.world.api.as({ token: owner.token }).delete(`/license-imports/${id}`);
  },
  LicenseDeskController_change: onLicense((stage, _path, { licenseId }) =>
    apiOf(stage).post('/licenses/bulk', { action: 'suspend', ids: [licenseId] }),
  ),
  LicenseDevicesController_freeSeat: onLicense((stage, path, { device: { fingerprint } }) =>
    apiOf(stage).post(`${path}/release`, { fingerprint }),
  ),
  LicenseDevicesController_deleteDevice: async (stage) => {
    const { licenseId } = await licensed(stage);
    const { devices } = expectStatus(await apiOf(stage).get(`/licenses/${licenseId}`), 200).body;
    return () => apiOf(stage).delete(`/licenses/${licenseId}/devices/${devices[0].id}`);
  },
  LicenseMembersController_invite: async (stage) => (await team(stage)).invite,
  LicenseMembersController_makeLink: async (stage) => {
    const { path } = await team(stage);
    return () => apiOf(stage).post(`${path.slice(0, path.lastIndexOf('/'))}/link`);
  },
  LicenseMembersController_resend: async (stage) => {
    const { path } = await team(stage);
    return () => apiOf(stage).post(`${path}/resend`);
  },
  LicenseMembersController_remove: async (stage) => {
    const { path } = await team(stage);
    return () => apiOf(stage).delete(path);
  },
  LicensesController_delete: async (stage) => {
    const { licenseId } = await licensed(stage);
    expectStatus(await apiOf(stage).post(`/licenses/${licenseId}/revoke`), 200);
    return () => apiOf(stage).delete(`/licenses/${licenseId}`);
  },
  LicensingController_activate: onLicense(({ world }, _, { device }) =>
    world.api.post('/licensing/activate', { ...device, fingerprint: randomUUID() }),
  ),
  LicensingController_check: onLicense(({ world }, _, { device }) => world.api.post('/licensing/check', device)),
  LicensingController_freeSeat: onLicense(({ world }, _, { device }) => world.api.post('/licensing/release', device)),
  DeviceTrialsController_ask: async ({ world, resources: { owner } }) => {
    const device = { extensionId: owner.extensionId, fingerprint: randomUUID() };
    return () => world.api.post('/licensing/trial', device);
  },
  TrialsController_update: async (stage) => {
    const id = await trialOf(stage);
    return () => apiOf(stage).patch(`/trials/${id}`, { endsAt: '2020-01-01' });
  },
  TrialsController_delete: async (stage) => {
    const id = await trialOf(stage);
    return () => apiOf(stage).delete(`/trials/${id}`);
  },
  AnalyticsController_ping: async ({ world, resources: { owner } }) => {
    const body = { extensionId: owner.extensionId, installId: randomUUID(), version: '1.0.0' };
    return () => world.api.post('/analytics/ping', body);
  },
  LeaseKeysController_rotate: async (stage) => () =>
    apiOf(stage).post(`/extensions/${stage.resources.owner.extensionId}/lease-keys/rotate`),
  EndpointsController_create: async ({ world }) => {
    const api = world.api.as(await world.given.tenant());
    return () => api.post('/notifications/endpoints', LISTENER);
  },
  EndpointsController_rotate: async (stage) => {
    const { api, path } = await listener(stage);
    return () => api.post(`${path}/rotate`);
  },
  EndpointsController_test: async (stage) => {
    const { api, path } = await listener(stage);
    return () => api.post(`${path}/test`);
  },
  NotificationsController_redeliver: async (stage) => {
    const { api, path } = await listener(stage);
    const { id } = expectStatus(await api.post(`${path}/test`), 201).body;
    return () => api.post(`/notifications/deliveries/${id}/redeliver`);
  },
  EndpointsController_update: async (stage) => {
    const id = await listening(stage);
    return () => apiOf(stage).patch(`/notifications/endpoints/${id}`, { enabled: false });
  },
  EndpointsController_delete: async (stage) => {
    const id = await listening(stage);
    return () => apiOf(stage).delete(`/notifications/endpoints/${id}`);
  },
  SigningKeysController_keep: async (stage) => {
    const path = await signingKey(stage);
    return () => sessionOf(stage).post(path, {});
  },
  SigningKeysController_remove: async (stage) => {
    const path = await signingKey(stage);
    expectStatus(await sessionOf(stage).post(path, {}), 201);
    return () => sessionOf(stage).delete(path);
  },
  CredentialsController_create: async (stage) => () => sessionOf(stage).post('/credentials', processorCredential()),
  CredentialsController_delete: async (stage) => {
    const { id } = expectStatus(await sessionOf(stage).post('/credentials', processorCredential()), 201).body;
    return () => sessionOf(stage).delete(`/credentials/${id}`);
  },
  CredentialsController_update: async (stage) => () =>
    sessionOf(stage).patch(`/credentials/${stage.resources.owner.credentialId}`, { label: randomUUID() }),
  MembersController_update: async (stage) => {
    const { userId } = await stage.world.given.member(stage.resources.owner, 'viewer');
    return () => sessionOf(stage).patch(`/members/${userId}`, { role: 'support' });
  },
  MembersController_remove: async (stage) => {
    const { userId } = await stage.world.given.member(stage.resources.owner, 'viewer');
    return () => sessionOf(stage).delete(`/members/${userId}`);
  },
  InvitationsController_create: async (stage) => () =>
    sessionOf(stage).post('/invitations', { email: `${randomUUID()}@author.example`, role: 'viewer' }),
  InvitationsController_accept: async ({ world, resources: { owner } }) => {
    const token = await world.given.invitation(owner, `${randomUUID()}@author.example`);
    return () => world.api.post('/invitations/accept', { token, password: 'a long enough password' });
  },
  SecondFactorController_begin: async (stage) => {
    const { cookie, password } = await proven(stage);
    return () => stage.world.api.as({ cookie }).post('/auth/second-factor', { password });
  },
  SecondFactorController_confirm: async (stage) => {
    const { post, code } = await withApp(stage);
    return () => post('/confirm', { code });
  },
  SecondFactorController_verify: async (stage) => {
    const { post, recoveryCodes } = await withSecondFactor(stage);
    return () => post('/verify', { code: recoveryCodes[0] });
  },
  SecondFactorController_renewRecoveryCodes: async (stage) => {
    const { post } = await withSecondFactor(stage);
    return () => post('/recovery-codes');
  },
  SecondFactorController_disable: async (stage) => {
    const { post, password, recoveryCodes } = await withSecondFactor(stage);
    return () => post('/disable', { password, code: recoveryCodes[0] });
  },
  ExportsController_request: async ({ world }) => {
    const { cookie } = await world.given.tenant();
    return () => world.api.as({ cookie }).post('/tenant/exports');
  },
  TenantDeletionController_request: async ({ world }) => {
    const { cookie, password } = await world.given.tenant();
    return () => world.api.as({ cookie }).post('/tenant/deletion', { password, tenantName: 'Author' });
  },
  TenantDeletionController_cancel: async ({ world }) => {
    const { cookie, password } = await world.given.tenant();
    const api = world.api.as({ cookie });
    expectStatus(await api.post('/tenant/deletion', { password, tenantName: 'Author' }), 201);
    return () => api.delete('/tenant/deletion');
  },
  MembersController_leave: async ({ world, resources: { owner } }) => {
    const { cookie } = await world.given.member(owner, 'viewer');
    return () => world.api.as({ cookie }).post('/members/leave');
  },
  InvitationsController_revoke: async (stage) => {
    const wanted = { email: `${randomUUID()}@author.example`, role: 'viewer' };
    const { id } = expectStatus(await sessionOf(stage).post('/invitations', wanted), 201).body;
    return () => sessionOf(stage).delete(`/invitations/${id}`);
  },
  InvitationsController_join: async ({ world, resources: { owner } }) => {
    const { email, cookie } = await world.given.tenant();
    const token = await world.given.invitation(owner, email);
    return () => world.api.as({ cookie }).post('/invitations/join', { token });
  },
  TenantsController_create: async (stage) => () => sessionOf(stage).post('/tenants', { name: 'Another' }),
  AuthController_switchTenant: async (stage) => {
    const { cookie } = await stage.world.given.tenant();
    const api = stage.world.api.as({ cookie });
    const { id } = expectStatus(await api.post('/tenants', { name: 'Another' }), 201).body;
    return () => api.post('/auth/tenant', { tenantId: id });
  },
  AuthController_signup: async ({ world }) => {
    const account = { email: `${randomUUID()}@author.example`, password: randomUUID(), tenantName: 'Another' };
    return () => world.api.post('/auth/signup', account);
  },
  AuthController_login: async (stage) => () => logIn(stage),
  CliLoginController_begin:
    async ({ world }) =>
    () =>
      world.api.post('/auth/cli', { name: 'pierhead on a laptop' }),
  CliLoginController_finish: async (stage) => {
    const { deviceCode, userCode } = expectStatus(await stage.world.api.post('/auth/cli', {}), 201).body;
    const headers = { cookie: stage.resources.owner.cookie };
    const form = new URLSearchParams({ userCode, decision: 'approve' });
    const approved = await fetch(`${stage.world.url}/cli-login`, { method: 'POST', headers, body: form });
    if (approved.status !== 200) throw new Error(await approved.text());
    return () => stage.world.api.post('/auth/cli/token', { deviceCode });
  },
  AuthController_logout: async (stage) => {
    const session = expectStatus(await logIn(stage), 200).headers.get('set-cookie') ?? '';
    return () => stage.world.api.as({ cookie: session.split(';')[0] ?? '' }).post('/auth/logout');
  },
  IdentitiesController_unlink: async ({ world }) => {
    const tenant = await world.given.tenant();
    const id = await linked(world, tenant);
    return () => world.api.as({ cookie: tenant.cookie }).delete(`/auth/oidc/identities/${id}`);
  },
  PasswordsController_change: async ({ world }) => {
    const { cookie, password } = await world.given.tenant();
    const change = { currentPassword: password, newPassword: randomUUID() };
    return () => world.api.as({ cookie }).post('/auth/password', change);
  },
  PasswordsController_request: async ({ world }) => {
    const { email } = await world.given.tenant();
    return async () => {
      const answer = await world.api.post('/auth/password/reset-request', { email });
      await world.app.get(PasswordResetsService).whenIdle();
      return answer;
    };
  },
  PasswordsController_reset: async ({ world }) => {
    const { email } = await world.given.tenant();
    const token = newSecret();
    const now = world.clock.now();
    await world.app.get(DataSource).query(
      `insert into password_reset (id, created_at, updated_at, user_id, secret_digest, expires_at)
       select gen_random_uuid(), $2, $2, id, $3, $2::timestamptz + interval '1 minute' from tenant_user where email = $1`,
      [email, now, digestOf(token)],
    );
    return () => world.api.post('/auth/password/reset', { token, newPassword: randomUUID() });
  },
  SessionsController_end: async (stage) => {
    expectStatus(await logIn(stage), 200);
    const { items } = (await sessionOf(stage).get('/auth/sessions?limit=1')).body;
    return () => sessionOf(stage).delete(`/auth/sessions/${items[0].id}`);
  },
  SessionsController_endOthers: async ({ world }) => {
    const tenant = await world.given.tenant();
    await world.given.loggedIn(tenant);
    return () => world.api.as({ cookie: tenant.cookie }).delete('/auth/sessions');
  },
  ConsoleStartController_start: async (stage) => () => sessionOf(stage).post('/console/start'),
  AuthController_token: async (stage) => () => sessionOf(stage).post('/auth/token'),
  AccessTokensController_revoke: async (stage) => {
    const { id } = expectStatus(
      await sessionOf(stage).post('/access-tokens', { name: 'Old CI', scopes: ['*'] }),
      201,
    ).body;
    return () => sessionOf(stage).delete(`/access-tokens/${id}`);
  },
  AccessTokensController_create: async (stage) => () =>
    sessionOf(stage).post('/access-tokens', { name: 'CI', scopes: ['*'] }),
  TrustRulesController_create: async (stage) => () =>
    sessionOf(stage).post('/ci/trust-rules', { ...RULE, repository: `acme/${randomUUID()}` }),
  TrustRulesController_delete: async (stage) => {
    const { id } = expectStatus(await sessionOf(stage).post('/ci/trust-rules', RULE), 201).body;
    await stage.manyRows.copy('access_token', await stage.manyRows.original('access_token'), stage.many, {
      trust_rule_id: `'${id}'`,
    });
    return () => sessionOf(stage).delete(`/ci/trust-rules/${id}`);
  },
  AnnouncementsController_receive: async (stage) => {
    const { world, resources } = stage;
    const id = randomUUID();
    const extensionId = await world.given.extension(resources.owner);
    const targetId = await world.given.targetOf(resources.owner, extensionId, 'safari');
    const sealed = await world.app.get(Sealer).seal('secret', `store_webhook:${id}`);
    const sql = `insert into store_webhook (id, created_at, updated_at, target_id, sealed) values ($1, now(), now(), $2, $3)`;
    await world.app.get(DataSource).query(sql, [id, targetId, sealed]);
    const raw = Buffer.from(JSON.stringify({ data: { id } }));
    const signature = `hmacsha256=${createHmac('sha256', 'secret').update(raw).digest('hex')}`;
    const headers = { 'x-apple-signature': signature };
    return () => world.api.post(`/stores/announcements/${targetId}`, undefined, { raw, headers });
  },
  WebhooksController_receive: sale('payment'),
  WebhooksController_receiveOf: sale('stripe'),
  InboxController_replay: async (stage) => {
    const { items } = (await apiOf(stage).get('/webhooks/inbox?status=ignored&processor=stripe')).body;
    return () => apiOf(stage).post(`/webhooks/inbox/${items[0].id}/replay`);
  },
  OrdersController_assignPlan: async (stage) => {
    const item = await unlisted(stage.world, stage.resources.owner);
    const inbox = (await apiOf(stage).get('/webhooks/inbox?status=unmapped&limit=100')).body.items;
    const { order } = inbox.find(({ id }: { readonly id: string }) => id === item);
    const { items } = (await apiOf(stage).get('/orders?needsAttention=true&limit=100')).body;
    const { id } = items.find(({ number }: { readonly number: string }) => number === order);
    const planId = await stage.world.given.plan(stage.resources.owner, stage.resources.owner.extensionId);
    return () => apiOf(stage).post(`/orders/${id}/plan`, { planId, remember: true });
  },
  InboxController_markUnrelated: async (stage) => {
    const id = await unlisted(stage.world, stage.resources.owner);
    return () => apiOf(stage).post(`/webhooks/inbox/${id}/unrelated`);
  },
  UnrelatedProductsController_delete: async (stage) => {
    const item = await unlisted(stage.world, stage.resources.owner);
    expectStatus(await apiOf(stage).post(`/webhooks/inbox/${item}/unrelated`), 200);
    const [{ id }] = (await apiOf(stage).get('/webhooks/unrelated-products')).body.items;
    return () => apiOf(stage).delete(`/webhooks/unrelated-products/${id}`);
  },
};
