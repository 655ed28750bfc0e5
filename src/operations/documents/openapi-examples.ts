import type { OpenAPIObject } from '@nestjs/swagger';

/** The parts of an OpenAPI schema that determine an example. */
export interface ExampleSchema {
  readonly $ref?: string;
  readonly allOf?: readonly ExampleSchema[];
  readonly oneOf?: readonly ExampleSchema[];
  readonly anyOf?: readonly ExampleSchema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly items?: ExampleSchema;
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly additionalProperties?: boolean | ExampleSchema;
}

const UUID = '01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d4';
const CHROME_CREDENTIALS = {
  publisherId: UUID,
  clientId: '1234-example.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-exampleexampleexample',
  refreshToken: '1//0exampleexampleexample',
};

/** Examples by schema, by `Schema.property` and by property name, in this order of precedence. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  CreateTarget: { store: 'firefox', channel: 'unlisted', storeItemId: 'tab-counter@pierhead.example', enabled: false },
  UpdateTarget: { storeItemId: 'mbfmhplclkbnbppnbjccnfhpgipnabcd', rolloutPercent: 10 },
  CreateNotificationEndpoint: {
    kind: 'webhook',
    url: 'https://hooks.example.com/pierhead',
    events: ['live', 'rejected'],
  },
  UpdateNotificationEndpoint: { events: ['live', 'rejected', 'action_required'] },
  Search: { text: 'Tab Counter' },
  OverviewNeed: {
    kind: 'rejected',
    turn: 'you',
    what: 'Chrome Web Store rejected Tab Counter 1.4.0.',
    remedy: 'Correct what the store names, and push a new version.',
    message: 'Use of permissions: "tabs" is requested but not used.',
    at: '2026-11-22T09:30:00.000Z',
    count: 1,
    extensionId: UUID,
    targetId: UUID,
    credentialId: UUID,
    store: 'chrome',
    url: 'https://chrome.google.com/webstore/devconsole',
  },
  BulkLicenses: { action: 'suspend', ids: [UUID], dryRun: true },
  'LicenseSelection.order': 'in_1QaExample',
  'ImportedLine.email': 'ann@example.com',
  'ImportedLine.message': null,
  id: UUID,
  extensionId: UUID,
  targetId: UUID,
  deviceId: UUID,
  tenantId: UUID,
  userId: UUID,
  processor: 'stripe',
  nextCursor: null,
  cursor: UUID,
  name: 'Tab Counter',
  extensionName: 'Tab Counter',
  'CreateAccessToken.name': 'CI of Tab Counter',
  'CreatedAccessToken.name': 'CI of Tab Counter',
  'AccessToken.name': 'CI of Tab Counter',
  'TenantOfUser.name': 'Studio Ann',
  'CreateTenant.name': 'Studio Ben',
  'InvitationToken.token': 'C2FVsBQIhrscChlQIMV-b5sSYspob7oDq1lNnE3xk0w',
  'AcceptInvitation.token': 'C2FVsBQIhrscChlQIMV-b5sSYspob7oDq1lNnE3xk0w',
  link: 'https://pierhead.example/invitation#C2FVsBQIhrscChlQIMV-b5sSYspob7oDq1lNnE3xk0w',
  'ActiveSession.name': 'pierhead on anns-laptop',
  'BeginCliLogin.name': 'pierhead on anns-laptop',
  deviceCode: 'q0XhYk3vN8fLr5tWzJ2bGcMd7sEaPu9iQo4RyVx1HnA',
  verificationUrl: 'https://pierhead.example/cli-login',
  verificationUrlComplete: 'https://pierhead.example/cli-login?code=WDJB-MJHT',
  'Tenant.name': 'Studio Ann',
  'Tenant.plan': 'standard',
  'FieldOfCredentials.name': 'publisherId',
  'FieldOfCredentials.how': 'Chrome Developer Dashboard, Account: the publisher id.',
  'FieldOfCredentials.title': 'Publisher id',
  ConnectionStep: {
    number: 3,
    text: 'Create a service account in that project. It needs no role.',
    url: 'https://console.cloud.google.com/iam-admin/serviceaccounts/create',
  },
  StoreLink: { title: 'Developer Dashboard', url: 'https://chrome.google.com/webstore/devconsole' },
  FieldOfItem: {
    name: 'storeItemId',
    title: 'Item id',
    how: 'The 32 letters in the URL of the listing.',
    isRequired: true,
    pattern: '^[a-p]{32}$',
  },
  'ItemOfStore.urls[]': String.raw`^https:\/\/apps\.apple\.com\/app\/id(?<storeItemId>\d{1,20})$`,
  returnTo: '/extensions',
  'SignInUrl.url': 'https://login.example.com/authorize?client_id=pierhead',
  'SignInMethods.oidc': 'Example Login',
  tenantName: 'Studio Ann',
  password: 'correct horse battery staple',
  currentPassword: 'correct horse battery staple',
  newPassword: 'a heron counts seven reeds',
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMWExZTdjMiJ9.ZXhhbXBsZQ',
  lastFour: 'aRZU',
  label: "Ann's laptop",
  'CreateCredential.label': 'Publisher account',
  'UpdateCredential.label': 'Publisher account',
  'Credential.label': 'Publisher account',
  'Credential.identity': 'publisher@pierhead-example.iam.gserviceaccount.com',
  'CreateCredential.credentials': CHROME_CREDENTIALS,
  'UpdateCredential.credentials': CHROME_CREDENTIALS,
  tier: 'pro',
  productId: 'price_1QaExample',
  code: 'B1BJQ-7J154-Q7AE4-00RKD-30JCN',
  codeHint: '30JCN',
  'Problem.code': 'invalid_request',
  source: 'stripe:session:cs_1',
  fingerprint: 'b7f0c3a19d2e',
  nonce: 'c29tZSByYW5kb20gdGV4dA',
  deviceInfo: { label: "Ann's laptop" },
  lease: 'eyJhbGciOiJFZERTQSIsImtpZCI6IjAxYTFlN2MyIn0.eyJhY3QiOnRydWV9.ZXhhbXBsZQ',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  claimToken: 'f3b1c7a09d2e4855b6c0',
  value: '1.4.0',
  'Shares.browser[]': { value: 'Firefox', installs: 1204, share: 0.6 },
  'Shares.browserVersion[]': { value: 'Firefox 145', installs: 980, share: 0.49 },
  'Shares.os[]': { value: 'Windows', installs: 1310, share: 0.65 },
  'Shares.country[]': { value: 'CH', installs: 402, share: 0.2 },
  'Shares.language[]': { value: 'de-CH', installs: 388, share: 0.19 },
  'Shares.store[]': { value: 'firefox', installs: 1204, share: 0.6 },
  'Shares.licensed[]': { value: 'free', installs: 1810, share: 0.9 },
  'Trend.values[]': 'firefox',
  'Adoption.versions[]': '1.4.0',
  'InboxController_list.from': '2026-11-21T00:00:00.000Z',
  'InboxController_list.to': '2026-11-22T00:00:00.000Z',
  from: '2026-10-26',
  to: '2026-11-22',
  installId: 'b7f0c3a1-9d2e-4855-b6c0-d4e7f2a35190',
  version: '1.4.0',
  language: 'de-CH',
  liveVersion: '1.3.2',
  submittedVersion: '1.4.0',
  desiredVersion: '1.4.0',
  message: 'Version 1.4.0 is in review at the store.',
  because: 'Version 1.4.0 is pinned, and the store does not have it.',
  data: { phase: 'in_review' },
  platform: 'macos',
  'platforms[]': 'desktop',
  'defaultPlatforms[]': 'desktop',
  'channels[]': 'listed',
  channel: 'listed',
  storeItemId: 'mbfmhplclkbnbppnbjccnfhpgipnabcd',
  crxId: 'abcdefghijklmnopabcdefghijklmnop',
  releaseNotes: 'Counts tabs of all windows.',
  notes: 'Counts tabs of all windows.',
  reviewerNotes: 'There is nothing to log in to; the toolbar button shows the number.',
  sha256: 'a27d6fb1c0e94b5d8f3a7e21906c5d4b8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b',
  contentSha256: '1c8e5f0b2a7d4936c1e8f5a20b7d4e936f1a8c5d2e07b4f9a3c6d1e8b5f2a704',
  sourceSha256: null,
  rollbackOf: null,
  geckoId: 'tab-counter@pierhead.example',
  'permissions[]': 'storage',
  'hostPermissions[]': 'https://example.com/*',
  warning: 'The browser disables the extension until users accept a new permission: tabs.',
  'RollBack.to': '1.3.2',
  reason: 'Version 1.4.0 counts wrong.',
  'InboxItem.reason': null,
  'InboxItem.kind': 'checkout.session.completed',
  url: 'https://hooks.example.com/pierhead',
  address: null,
  secret: 'whsec_C2FVsBQIhrscChlQIMV-b5sSYspob7oD',
  disabledBecause: null,
  lastError: null,
  'FileOfField.name': 'AuthKey_{keyId}.p8',
  'FileOfField.member': null,
  title: 'Chrome Web Store',
  'Problem.title': 'Invalid request',
  detail: 'tier: must be text of 1 to 32 characters.',
  instance: '/api/v1/plans',
  field: 'tier',
  node: 'v24.11.0',
  'Instance.version': '1.2.0',
  'InstanceDatabase.version': '17.6',
  'InstanceDatabase.pendingMigrations': [],
  'InstanceCheck.name': 'database',
  'InstanceKey.id': 'k1',
  setting: 'ENCRYPTION_KEYS',
  'InstanceKey.fingerprint': '5f0c9a3e',
  report: 'Pierhead: 1.2.0\nNode.js: v24.11.0 on linux x64\nPostgreSQL: 17.6, on a server\n',
  'InstanceBackup.name': 'pierhead-20261122T030000000Z.zip.age',
  'InstanceBackup.error': null,
  'InstanceTenant.name': 'Studio Ann',
  'InstanceTenant.plan': 'free',
};

/** A schema has no example, and its type does not determine one. */
export class NoExample extends Error {
  constructor(readonly path: string) {
    super(`${path} needs an example`);
  }
}

const BY_FORMAT: Readonly<Record<string, unknown>> = {
  uuid: UUID,
  'date-time': '2026-11-22T09:30:00.000Z',
  date: '2026-11-22',
  email: 'ann@example.com',
  uri: 'https://hooks.example.com/pierhead',
};

/**
 * Returns the example of a schema: its own, that of its name, or one composed of its properties.
 * @param path `Schema.property`, by which the example is found and a missing one named
 * @throws NoExample when neither schema nor name determines an example
 */
export function exampleOf(schema: ExampleSchema, document: OpenAPIObject, path: string): unknown {
  if (schema.example !== undefined) return schema.example;
  if (path in BY_NAME) return BY_NAME[path];
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/components/schemas/', '');
    return exampleOf(named(name, document), document, name);
  }
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (name in BY_NAME && isOpenText(schema)) return BY_NAME[name];
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  if (choice !== undefined) return exampleOf(choice, document, path);
  if (schema.allOf !== undefined && schema.properties === undefined)
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, document, path)));
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  return ofType(schema, document, path);
}

/** Whether a schema leaves its content open, so that only its name determines an example. */
const isOpenText = (schema: ExampleSchema): boolean =>
  schema.enum === undefined &&
  schema.properties === undefined &&
  [undefined, 'string', 'object'].includes(typeOf(schema));

/** Its type when it is not null. */
const typeOf = ({ type }: ExampleSchema): string | undefined => [type].flat().find((one) => one !== 'null');

function ofType(schema: ExampleSchema, document: OpenAPIObject, path: string): unknown {
  switch (typeOf(schema)) {
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, document, `${path}[]`)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 1);
    case 'string':
      if (schema.format !== undefined && schema.format in BY_FORMAT) return BY_FORMAT[schema.format];
      throw new NoExample(path);
    default:
      if (schema.properties === undefined) throw new NoExample(path);
      return Object.fromEntries(
        Object.entries(schema.properties).map(([name, property]) => [
          name,
          exampleOf(property, document, `${path}.${name}`),
        ]),
      );
  }
}

function named(name: string, document: OpenAPIObject): ExampleSchema {
  const schema = document.components?.schemas?.[name];
  if (schema === undefined) throw new Error(`${name} is not described`);
  return schema;
}

interface Described {
  readonly schema?: ExampleSchema;
  example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Described & { readonly name: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Described>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Described>> }>>;
}

/**
 * Adds an example to each JSON body, each parameter and each successful JSON answer of a document.
 * @throws NoExample
 */
export function addExamples(document: OpenAPIObject): void {
  const operations = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods as Readonly<Record<string, Operation>>),
  );
  for (const { operationId, parameters = [], requestBody, responses } of operations) {
    for (const parameter of parameters) addExample(parameter, document, `${operationId}.${parameter.name}`);
    addExample(requestBody?.content['application/json'], document, `${operationId} body`);
    for (const [status, { content }] of Object.entries(responses))
      if (status.startsWith('2')) addExample(content?.['application/json'], document, `${operationId} ${status}`);
  }
}

function addExample(described: Described | undefined, document: OpenAPIObject, path: string): void {
  if (described?.schema !== undefined) described.example = exampleOf(described.schema, document, path);
}
