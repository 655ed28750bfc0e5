import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Action } from '../../src/platform/audit/index.js';
import type { Route } from '../../src/common/http/index.js';
import type { Answer, Api } from '../support/api.js';
import { CiIssuer } from '../support/ci-issuer.js';
import { Config, DataSource, startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { ManyRows } from './many-rows.js';
import { Resources } from './every-resource.js';
import { WRITES } from './writes.js';

/** What the audit log calls each writing operation. A new one wants a line here, or among `EXEMPT`. */
const ACTIONS: Readonly<Record<string, Action | readonly Action[]>> = {
  // Who signs up is logged in, which is an entry of its own.
  AuthController_signup: ['tenant.created', 'session.begun'],
  AuthController_login: 'session.begun',
  CliLoginController_finish: 'session.begun',
  AuthController_logout: 'session.ended',
  SessionsController_end: 'session.ended',
  SessionsController_endOthers: 'user.sessions_ended',
  AuthController_switchTenant: 'session.switched',
  TenantsController_create: 'tenant.created',
  SecondFactorController_confirm: 'user.second_factor_enabled',
  SecondFactorController_renewRecoveryCodes: 'user.recovery_codes_renewed',
  SecondFactorController_disable: 'user.second_factor_disabled',
  ExportsController_request: 'tenant.export_requested',
  TenantDeletionController_request: 'tenant.deletion_scheduled',
  TenantDeletionController_cancel: 'tenant.deletion_canceled',
  MembersController_update: 'member.role_changed',
  MembersController_remove: 'member.removed',
  MembersController_leave: 'member.left',
  InvitationsController_create: 'invitation.created',
  InvitationsController_revoke: 'invitation.revoked',
  InvitationsController_accept: 'member.joined',
  InvitationsController_join: 'member.joined',
  IdentitiesController_unlink: 'user.identity_unlinked',
  PasswordsController_change: 'user.password_changed',
  PasswordsController_request: 'user.password_reset_requested',
  PasswordsController_reset: 'user.password_reset',
  CiController_exchange: 'trust_rule.used',
  TrustRulesController_create: 'trust_rule.created',
  TrustRulesController_delete: 'trust_rule.deleted',
  ExtensionsController_create: 'extension.created',
  ExtensionsController_update: 'extension.updated',
  ExtensionsController_delete: 'extension.deleted',
  ReconcileController_reconcile: 'extension.reconciled',
  LeaseKeysController_rotate: 'extension.lease_key_rotated',
  TargetsController_create: 'target.created',
  TargetsController_update: 'target.updated',
  TargetsController_delete: 'target.deleted',
  TargetsController_pause: 'target.paused',
  TargetsController_resume: 'target.resumed',
  TargetsController_release: 'target.release_requested',
  TargetsController_resubmit: 'target.resubmitted',
  RejectionsController_record: 'rejection.recorded',
  SigningKeysController_keep: 'signing_key.added',
  SigningKeysController_remove: 'signing_key.removed',
  ArtifactsController_push: 'artifact.pushed',
  ArtifactsController_pin: 'artifact.pushed',
  ArtifactsController_attachSource: 'artifact.source_attached',
  RollbacksController_rollBack: 'artifact.rolled_back',
  FindingsController_override: 'finding.overridden',
  ApprovalsController_approve: 'approval.approved',
  ApprovalsController_reject: 'approval.rejected',
  CredentialsController_create: 'credential.created',
  CredentialsController_update: 'credential.updated',
  CredentialsController_delete: 'credential.deleted',
  EndpointsController_create: 'notification_endpoint.created',
  EndpointsController_update: 'notification_endpoint.updated',
  EndpointsController_delete: 'notification_endpoint.deleted',
  EndpointsController_rotate: 'notification_endpoint.rotated',
  EndpointsController_test: 'notification_endpoint.tested',
  NotificationsController_redeliver: 'notification_delivery.repeated',
  BrandingController_update: 'branding.updated',
  PlansController_create: 'plan.created',
  PlansController_update: 'plan.updated',
  PlansController_setProducts: 'plan.products_set',
  PlansController_delete: 'plan.deleted',
  CustomersController_find: 'tenant.buyer_looked_up',
  LicensesController_issue: 'license.issued',
  BatchesController_issue: 'license_batch.issued',
  LicensesController_update: 'license.updated',
  LicensesController_extend: 'license.updated',
  LicensesController_suspend: 'license.suspended',
  LicensesController_reinstate: 'license.reinstated',
  LicensesController_revoke: 'license.revoked',
  LicensesController_rotate: 'license.rotated',
  LicenseDevicesController_freeSeat: 'license.device_released',
  LicenseDevicesController_deleteDevice: 'license.device_released',
  LicenseMembersController_invite: 'license.member_invited',
  LicenseMembersController_makeLink: 'license.member_link_made',
  LicenseMembersController_resend: 'license.member_resent',
  LicenseMembersController_remove: 'license.member_removed',
  LicensesController_delete: 'license.deleted',
  LicenseDeskController_change: 'license.suspended',
  ImportsController_upload: 'license_import.uploaded',
  ImportsController_start: 'license_import.started',
  ImportsController_cancel: 'license_import.canceled',
  ImportsController_delete: 'license_import.deleted',
  ResendController_resend: 'license.resent',
  TrialsController_update: 'trial.updated',
  TrialsController_delete: 'trial.deleted',
  WebhooksController_receive: 'license.issued',
  WebhooksController_receiveOf: 'license.issued',
  ReviewsController_answer: 'review.answered',
  ReviewsController_withdraw: 'review.answer_withdrawn',
  OrdersController_assignPlan: ['plan.products_set', 'license.issued', 'order.plan_assigned'],
  InboxController_replay: 'inbox_item.replayed',
  InboxController_markUnrelated: 'inbox_item.marked_unrelated',
  UnrelatedProductsController_delete: 'unrelated_product.deleted',
  AccessTokensController_create: 'access_token.created',
  AccessTokensController_revoke: 'access_token.revoked',
};

/** Who acts where nobody, or somebody else than usual, is authenticated. */
const ACTORS: Readonly<Record<string, object>> = {
  CiController_exchange: { actor_kind: 'ci' },
  PasswordsController_request: { actor_kind: 'unknown' },
  MembersController_leave: { actor_kind: 'user', actor_role: 'viewer' },
  InvitationsController_accept: { actor_kind: 'user', actor_role: 'viewer' },
  InvitationsController_join: { actor_kind: 'user', actor_role: 'viewer' },
};

/** What leaves no entry, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  AnnouncementsController_receive: 'a store only hints, and what it then tells is in the timeline',
  ReviewsController_markRead: 'it says what the team has looked at, and changes nothing else',
  ReviewsController_markUnread: 'it says what the team has looked at, and changes nothing else',
  ReviewsController_markAll: 'it says what the team has looked at, and changes nothing else',
  InboxController_replayAll: 'it is one replay of each notification, which is an entry',
  ImportsController_preview: 'it says how a file is read, and makes nothing of it before the start, which is an entry',
  ReconcileController_watch: 'somebody waits, and nothing changes but when a store is asked next',
  SearchController_search: 'it finds, and changes nothing',
  ArtifactsController_check: 'it tells what a push would be answered, and changes nothing',
  LicensingController_activate: 'a device acts, and its seat says so',
  LicensingController_check: 'a device acts, and its seat says so',
  LicensingController_freeSeat: 'a device acts, and its seat says so',
  DeviceTrialsController_ask: 'a device acts, and its trial says so',
  LicensesController_find: 'it finds a license, and takes its code in the body to keep it out of logs',
  BuyingController_restore: 'mails a link at most, by which a buyer acts',
  ClaimController_claim: 'a buyer acts, and the license says so',
  AnalyticsController_ping: 'an install acts, and pings leave nothing personal behind',
  CliLoginController_begin: 'it belongs to nobody before a person approves, which is an entry then',
  InvitationsController_show: 'it shows an invitation, and takes its secret in the body to keep it out of logs',
  SecondFactorController_begin: 'the second factor counts once it is confirmed, which is an entry',
  SecondFactorController_verify: 'it shows what the session knows, and changes nothing of the tenant or the user',
  OidcController_link: 'nothing is linked before the browser comes back, which is an entry then',
  ConsoleStartController_start: 'a session exchanges itself for a token that can do no more and ends with it',
  AuthController_token: 'a session exchanges itself for a token that can do no more and ends with it',
};

/** Members of bodies whose values are secret, or a buyer's; `url` is that of a webhook, and all of `credentials` is. */
const SECRET =
  /^(password|newPassword|currentPassword|token|code|recoveryCodes|secret|otpauthUrl|link|credentials|fingerprint|buyerEmail|emails|giftUrl|reviewerNotes|url|claimToken|lease|installId|deviceCode|userCode)$/;

/** Every secret text in a body. */
const secretsIn = (value: unknown, isSecret = false): readonly string[] => {
  if (typeof value === 'string') return isSecret ? [value] : [];
  // The code of a finding is the name of a rule.
  if (typeof value !== 'object' || value === null || 'severity' in value) return [];
  return Object.entries(value).flatMap(([name, member]) => secretsIn(member, isSecret || SECRET.test(name)));
};

interface Entry {
  readonly id: string;
  readonly actor_kind: string;
  readonly actor_name: string;
  readonly actor_role: string | null;
  readonly address: string | null;
  readonly action: string;
  readonly subject_type: string;
  readonly subject_id: string;
  readonly request_id: string | null;
}

describe('the audit log', () => {
  let world: World;
  let resources: Resources;
  let manyRows: ManyRows;
  let issuer: CiIssuer;
  let actors: Readonly<Record<Route['access']['kind'], object>>;
  beforeAll(async () => {
    issuer = await CiIssuer.start();
    world = await startWorld({
      env: {
        // Each write makes a plan of its own.
        MAX_PLANS_PER_EXTENSION: '1000',
        DEFAULT_TENANT_QUOTA: 'unlimited',
        CI_ISSUERS: issuer.url,
        SMTP_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: 'pierhead@example.com',
      },
    });
    resources = await Resources.in(world);
    manyRows = new ManyRows(world, resources.owner);
    const { owner } = resources;
    const api = world.api.as(owner);
    const { planId } = expectStatus(await api.get('/licenses'), 200).body.items[0];
    const product = { processor: 'stripe', productId: 'plink_1' };
    expectStatus(await api.call('PUT', `/plans/${planId}/products`, [product]), 200);
    const user = { actor_kind: 'user', actor_role: 'owner' };
    const member = { ...user, actor_name: expect.stringMatching(/@author\.example$/) };
    const processor = { actor_kind: 'processor', actor_name: 'stripe', actor_role: null };
    const token = { actor_kind: 'token', actor_name: 'CI', actor_role: 'owner' };
    actors = { session: member, either: member, public: user, bearer: token, signature: processor };
  });
  afterAll(async () => {
    await world.close();
    await issuer.close();
  });

  /** A run of a job trades its token. */
  const exchange = async (): Promise<() => Promise<Answer>> => {
    const repository = `acme/${randomUUID()}`;
    const rule = { name: 'Releases', repository, ref: 'refs/heads/main', scopes: ['artifacts:write'] };
    expectStatus(await world.api.as({ cookie: resources.owner.cookie }).post('/ci/trust-rules', rule), 201);
    const token = await issuer.run(repository, world.app.get(Config).publicUrl, world.clock.now());
    return () => world.api.post('/auth/ci', { token, tenantId: resources.owner.tenantId });
  };

  /** The secrets of all requests and answers while work runs. */
  const secretsDuring = async (work: () => Promise<void>): Promise<ReadonlySet<string>> => {
    const found: string[] = [];
    const client = Object.getPrototypeOf(world.api) as Api;
    const call = Reflect.get<Api, 'call'>(client, 'call');
    client.call = async function (this: Api, method, path, body, extra) {
      const answer = await call.call(this, method, path, body, extra);
      const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(/[=;]/)[1] ?? '');
      found.push(...secretsIn(body), ...secretsIn(answer.body), ...cookies);
      return answer;
    };
    try {
      await work();
    } finally {
      client.call = call;
    }
    return new Set(found.filter((secret) => secret.length >= 8));
  };

  const writing = (): readonly Route[] => resources.routes.filter(({ method }) => method !== 'GET');
  /** What work leaves in the log, of whichever tenant. */
  const left = async <Result>(work: () => Promise<Result>): Promise<readonly [Result, readonly Entry[]]> => {
    const source = world.app.get(DataSource);
    const [last] = await source.query<Entry[]>('select id from audit_entry order by id desc limit 1');
    const result = await work();
    return [result, await source.query<Entry[]>('select * from audit_entry where id > $1 order by id', [last?.id])];
  };
  const isPerformed = ({ operationId }: Route): boolean =>
    operationId === 'CiController_exchange' || WRITES[operationId] !== undefined;
  const performed = async ({ operationId }: Route): Promise<readonly [Answer, readonly Entry[]]> => {
    const prepare = operationId === 'CiController_exchange' ? exchange : WRITES[operationId];
    if (prepare === undefined) throw new Error(`Say in test/guard/writes.ts how to perform ${operationId}`);
    const perform = await prepare({ world, resources, manyRows, many: 1 });
    return left(perform);
  };

  it('knows every writing operation: it leaves an entry, or there is a reason why not', () => {
    const known = [...Object.keys(ACTIONS), ...Object.keys(EXEMPT)];
    expect(
      writing()
        .map(({ operationId }) => operationId)
        .toSorted(),
    ).toEqual(known.toSorted());
  });

  it('has exactly one entry of each writing operation, by the caller, about its subject', async () => {
    const seen: object[] = [];
    const expected: object[] = [];
    for (const route of writing().filter(({ operationId }) => ACTIONS[operationId] !== undefined)) {
      const { operationId, access } = route;
      const [answer, found] = await performed(route);
      expect(`${operationId} ${answer.status} ${answer.text}`).toMatch(/^\w+ 20[0124] /);
      // Who logs in does not hear the id of the session, nor a processor the id of the license; a tenant has one branding, and findings, rejections, needs and signing keys have ids of their own.
      const isNamed = ({ subject_id: id, action }: Entry): boolean =>
        access.kind === 'signature' ||
        /^(session|user|tenant|branding|finding|rejection|need|signing_key|trust_rule.used|member.joined|member.left)\b/.test(
          action,
        ) ||
        `${answer.path} ${answer.text}`.includes(id);
      seen.push({ operationId, found: found.map((entry) => ({ ...entry, isNamed: isNamed(entry) })) });
      expected.push({
        operationId,
        found: [ACTIONS[operationId] ?? []].flat().map((action) => ({
          ...(ACTORS[operationId] ?? actors[access.kind]),
          action,
          address: expect.stringContaining('127.0.0.1'),
          subject_type: action.split('.')[0],
          isNamed: true,
          request_id: answer.headers.get('x-request-id'),
        })),
      });
    }
    expect(seen).toMatchObject(expected);
  });

  it('has no entry of what is exempt', async () => {
    for (const route of writing().filter((one) => EXEMPT[one.operationId] !== undefined && isPerformed(one))) {
      const [{ status }, found] = await performed(route);
      expect([route.operationId, status < 300, found]).toEqual([route.operationId, true, []]);
    }
  });

  it('has none of the secrets that are sent and answered', async () => {
    const secrets = await secretsDuring(async () => {
      for (const route of writing()) if (isPerformed(route)) await performed(route);
      const note = { reviewerNotes: `MARKED ${randomUUID()}` };
      const { extensionId } = resources.owner;
      const targetId = await world.given.targetOf(resources.owner, extensionId, 'firefox');
      const target = `/extensions/${extensionId}/targets/${targetId}`;
      expectStatus(await world.api.as(resources.owner).patch(target, note), 200);
    });
    expect(secrets.size).toBeGreaterThanOrEqual(80);
    const rows = await world.app
      .get(DataSource)
      .query<{ readonly row: string }[]>('select e::text as row from audit_entry e');
    expect(rows.length).toBeGreaterThanOrEqual(100);
    const all = rows.map(({ row }) => row).join('\n');
    expect([...secrets].filter((secret) => all.includes(secret))).toEqual([]);
  });
});
