import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ROLES, rolesWith } from '../../common/access/index.js';
import { RouteTable, takesJson, type Route, markup, page } from '../../common/http/index.js';
import {
  declaredProblems,
  Internal,
  InvalidRequest,
  Overloaded,
  StorageFull,
  PayloadTooLarge,
  TOKEN_FAULT_NAMES,
  UnsupportedMediaType,
  type ProblemSpec,
} from '../../common/problems/index.js';
import { Config } from '../../common/config/index.js';
import { addExamples } from './openapi-examples.js';
import { REFERENCE_OPTIONS } from './reference-page.js';
import { VERSION } from '../../common/system/index.js';

const PROBLEM_TYPE = 'application/problem+json';
const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'instance', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri', description: "The problem's entry in the documentation." },
    title: { type: 'string', description: 'What kind of problem it is, in a few words.' },
    status: { type: 'integer', description: 'HTTP status of the answer.' },
    code: { type: 'string', description: 'Stable and machine-readable.' },
    detail: { type: 'string', description: 'Human-readable.' },
    instance: { type: 'string', description: 'Path of the request.' },
    requestId: {
      type: 'string',
      format: 'uuid',
      description: '`X-Request-Id` of the answer. The log has it in each line about the request.',
    },
    errors: {
      type: 'array',
      description: 'Only with `invalid_request`: what is wrong with each field.',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
    reason: {
      type: 'string',
      enum: TOKEN_FAULT_NAMES,
      description: 'Only with `unauthenticated`: what is wrong with the access token.',
    },
    role: { type: 'string', enum: ROLES, description: "Only with `role_not_allowed`: the caller's role." },
    permission: { type: 'string', description: 'Only with `role_not_allowed`: what the role does not include.' },
  },
} as const;

/** In the order in which a new user meets them. */
const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['auth', 'Sign up, log in and out, and exchange a session for a token that lasts 15 minutes.'],
  ['members', 'Members of the tenant, their roles, and invitations.'],
  ['access tokens', 'Tokens for scripts and CI. Require a session.'],
  ['CI', 'Trust rules: runs of GitHub Actions or GitLab that need no stored token. Require a session.'],
  ['audit log', 'Who changed what, when and from where.'],
  ['extensions', 'Your extensions, and the timeline of each.'],
  ['stores', 'What each store can do, and where to get its secrets.'],
  [
    'store credentials',
    'Secrets of stores and payment processors: verified, encrypted, never shown again. Require a session.',
  ],
  ['targets', 'Where an extension is published: one target per store item.'],
  ['artifacts', 'Push a version. Pushing pins it, and Pierhead publishes it to its targets.'],
  ['approvals', 'Approve or reject a version of an extension that requires the approval of another person.'],
  ['reconcile', 'Reconcile now, preview what would happen, and see each version at each store.'],
  ['notifications', 'Webhooks and mails about your extensions.'],
  ['branding', 'The name, support address, colour and logo that buyers see.'],
  ['plans', 'Tiers of an extension: their device limit and the products that sell them.'],
  ['licenses', 'License codes of your buyers: issue, suspend, revoke, rotate.'],
  ['licensing', 'For installed extensions: activate, check and release a device.'],
  ['trials', 'Devices that try a plan for a while without a license.'],
  ['orders', 'What buyers bought at the payment processors, and sales figures.'],
  ['payment webhooks', 'For payment processors, and the inbox of their notifications.'],
  ['reviews', 'What users wrote at the stores, and the answers to it.'],
  ['analytics', 'Daily pings of installs, and reports on them.'],
  ['instance', 'The status of this instance, for its operators.'],
  ['overview', 'What needs your attention, the status at every store, what changes, and a search across all of it.'],
  ['clients', 'The command line, the client for extensions and the GitHub Action, as packages for npm.'],
  ['tenant', "Export all of a tenant's data, and delete the tenant."],
];

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  'x-roles'?: readonly string[];
  parameters?: unknown[];
  security?: readonly object[];
  responses: Record<string, object>;
}

/** Describes the API: what the controllers declare, and for each operation its problems. */
export function describeApi(app: NestExpressApplication): OpenAPIObject {
  const { origin, basePath } = app.get(Config);
  const builder = new DocumentBuilder()
    .setTitle('Pierhead')
    .setDescription(
      'Publishing and licensing for browser extensions. Every failure is a problem of RFC 9457 with a stable `code`.',
    )
    .setVersion(VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .setOpenAPIVersion('3.1.0')
    .addServer(`${origin}${basePath}`)
    .addBearerAuth()
    .addCookieAuth('svc_session');
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${controller}_${method}`,
  });
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Problem: PROBLEM_SCHEMA as never },
  };
  for (const route of app.get(RouteTable).routes) {
    const path = document.paths[route.path] as Record<string, Operation> | undefined;
    const operation = path?.[route.method.toLowerCase()];
    if (operation === undefined) continue;
    // Every route has an access rule; the others want no token, though some want a signature or a form's own session.
    operation.security ??= [];
    addRoles(operation, route);
    addProblems(operation, route);
    if (route.sendsEntityTags) addEntityTag(operation, document);
  }
  addExamples(document);
  return document;
}

/** Serves the description at `/api/openapi.json`, the reference at `/api/docs`, and the list of problems below it. */
export function serveDocumentation(app: NestExpressApplication): void {
  let document: OpenAPIObject | undefined;
  const described = (): OpenAPIObject => (document ??= describeApi(app));
  app.use('/api/openapi.json', (_request: Request, response: Response) => response.json(described()));
  app.use('/api/docs/problems', (_request: Request, response: Response) => response.type('html').send(problemsPage()));
  SwaggerModule.setup('api/docs', app, described, {
    raw: false,
    customSiteTitle: 'Pierhead',
    swaggerOptions: REFERENCE_OPTIONS,
  });
}

/** Describes which roles may call an operation, where a role matters. */
function addRoles(operation: Operation, { access }: Route): void {
  if (!('permission' in access)) return;
  const roles = rolesWith(access.permission);
  const sentence =
    roles.length === ROLES.length ? 'Every role may do this.' : `Roles that may do this: ${roles.join(', ')}.`;
  operation.description = [operation.description, sentence].filter(Boolean).join(' ');
  operation['x-roles'] = roles;
}

/** Describes the `ETag` header of the answers that have one. */
function addEntityTag({ responses }: Operation, { components }: OpenAPIObject): void {
  const description = "The resource's `updatedAt` in double quotes, for `If-Match`.";
  const tagged = Object.entries(components?.schemas ?? {}).filter(
    ([, schema]) => 'properties' in schema && schema.properties?.['updatedAt'] !== undefined,
  );
  for (const response of Object.values(responses))
    if (tagged.some(([name]) => JSON.stringify(response).includes(`"schema":{"$ref":"#/components/schemas/${name}"}`)))
      Object.assign(response, { headers: { ETag: { description, schema: { type: 'string' } } } });
}

function addProblems(operation: Operation, route: Route): void {
  const all: ProblemSpec[] = [...route.problems, Internal.spec, Overloaded.spec, StorageFull.spec];
  if (takesJson(route)) all.push(InvalidRequest.spec, PayloadTooLarge.spec, UnsupportedMediaType.spec);
  else if ((operation.parameters ?? []).length > 0 || route.body === 'own') all.push(InvalidRequest.spec);
  for (const status of new Set(all.map((problem) => problem.status))) {
    const codes = [...new Set(all.filter((problem) => problem.status === status).map(({ code }) => code))].toSorted();
    const titles = [...new Set(all.filter((problem) => problem.status === status).map(({ title }) => title))];
    operation.responses[status] = {
      description: titles.join(', or '),
      content: {
        [PROBLEM_TYPE]: {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Problem' },
              { type: 'object', properties: { code: { type: 'string', enum: codes } } },
            ],
          },
        },
      },
    };
  }
}

function problemsPage(): string {
  const entries = declaredProblems()
    .toSorted((one, other) => one.code.localeCompare(other.code))
    .map(({ code, status, title, cause, remedy }) => {
      const advice = markup`<dl><dt>Cause</dt><dd>${cause}</dd><dt>Remedy</dt><dd>${remedy}</dd></dl>`;
      return markup`<section id="${code}"><h2><code>${code}</code></h2><p>${status} · ${title}</p>${advice}</section>`;
    });
  return page(
    'Problems',
    markup`<p>
        Every failure is <code>application/problem+json</code> with one of these codes. See the
        <a href="../docs">API reference</a>.
      </p>
      ${entries}`,
  );
}
