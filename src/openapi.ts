import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RouteTable, takesJson, type Route, escaped, htmlPage } from './common/http/index.js';
import {
  declaredProblems,
  Internal,
  InvalidRequest,
  Overloaded,
  PayloadTooLarge,
  TOKEN_FAULT_NAMES,
  UnsupportedMediaType,
  type ProblemSpec,
} from './common/problems/index.js';
import { addExamples } from './openapi-examples.js';
import { VERSION } from './version.js';

const PROBLEM_TYPE = 'application/problem+json';
const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'instance', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri', description: "The problem's entry in the documentation." },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', description: 'Stable, for machines.' },
    detail: { type: 'string', description: 'For people.' },
    instance: { type: 'string' },
    requestId: { type: 'string', format: 'uuid' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
    reason: {
      type: 'string',
      enum: TOKEN_FAULT_NAMES,
      description: 'Of `unauthenticated`: what is wrong with the access token.',
    },
  },
} as const;

/** In the order of a first hour with the API. */
const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['auth', 'Sign up, log in and out, and trade a session for a token that lasts 15 minutes.'],
  ['access tokens', 'Tokens for scripts and CI. Needs a session.'],
  ['extensions', 'Your extensions, and the timeline of each.'],
  ['stores', 'What each store can do, and where to get its secrets.'],
  [
    'store credentials',
    'Secrets of stores and payment processors: verified, sealed, never shown again. Needs a session.',
  ],
  ['targets', 'Where an extension goes: one target per item of a store.'],
  ['artifacts', 'Push a version. Pushing pins it: its targets are driven to it.'],
  ['reconcile', 'Let Pierhead act now, ask what it would do, and see each version at each store.'],
  ['notifications', 'Webhooks and mails about your extensions.'],
  ['plans', 'Tiers of an extension, with a device limit and the products that buy them.'],
  ['licenses', 'Codes of your buyers: issue, suspend, revoke, replace.'],
  ['licensing', 'Called by the installed extension: activate, check and release a device.'],
  ['payment webhooks', 'Called by payment processors, and the inbox of what they sent.'],
  ['analytics', 'Daily pings of installs, and reports of them.'],
];

interface Operation {
  operationId?: string;
  summary?: string;
  parameters?: unknown[];
  responses: Record<string, unknown>;
}

/** The API's description: what the controllers say, and for each operation the problems that it declares. */
export function describeApi(app: NestExpressApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Pierhead')
    .setDescription(
      'Publishing and licensing for browser extensions. Every failure is a problem of RFC 9457 with a stable `code`.',
    )
    .setVersion(VERSION)
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
    if (operation !== undefined) addProblems(operation, route);
  }
  addExamples(document);
  return document;
}

/** Serves the description at `/api/openapi.json`, a page of it at `/api/docs`, and the list of problems below that. */
export function serveDocumentation(app: NestExpressApplication): void {
  let document: OpenAPIObject | undefined;
  const described = (): OpenAPIObject => (document ??= describeApi(app));
  app.use('/api/openapi.json', (_request: Request, response: Response) => response.json(described()));
  app.use('/api/docs/problems', (_request: Request, response: Response) => response.type('html').send(problemsPage()));
  SwaggerModule.setup('api/docs', app, described, { raw: false, customSiteTitle: 'Pierhead' });
}

function addProblems(operation: Operation, route: Route): void {
  const all: ProblemSpec[] = [...route.problems, Internal.spec, Overloaded.spec];
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
    .map(
      ({ code, status, title, cause, remedy }) =>
        `<section id="${code}"><h2><code>${code}</code></h2><p>${status} · ${escaped(title)}</p>` +
        `<dl><dt>Cause</dt><dd>${escaped(cause)}</dd><dt>Remedy</dt><dd>${escaped(remedy)}</dd></dl></section>`,
    );
  return htmlPage(
    'Problems',
    `<p>Every failure is <code>application/problem+json</code> with one of these codes. See the <a href="../docs">API reference</a>.</p>${entries.join('')}`,
  );
}
