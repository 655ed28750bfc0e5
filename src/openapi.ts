import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RouteTable, takesJson, type Route } from './common/http/index.js';
import {
  declaredProblems,
  Internal,
  InvalidRequest,
  Overloaded,
  PayloadTooLarge,
  UnsupportedMediaType,
  type ProblemSpec,
} from './common/problems/index.js';
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
  },
} as const;

interface Operation {
  operationId?: string;
  summary?: string;
  parameters?: unknown[];
  responses: Record<string, unknown>;
}

/** The API's description: what the controllers say, and for each operation the problems that it declares. */
export function describeApi(app: NestExpressApplication): OpenAPIObject {
  const base = new DocumentBuilder()
    .setTitle('Pierhead')
    .setDescription(
      'Publishing and licensing for browser extensions. Every failure is a problem of RFC 9457 with a stable `code`.',
    )
    .setVersion(VERSION)
    .addBearerAuth()
    .addCookieAuth('svc_session')
    .build();
  const document = SwaggerModule.createDocument(app, base, {
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
  else if ((operation.parameters ?? []).length > 0 || route.readsOwnBody) all.push(InvalidRequest.spec);
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
    .map(({ code, status, title }) => `<dt id="${code}"><code>${code}</code></dt><dd>${status}: ${title}</dd>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Problems of Pierhead</title><h1>Problems</h1><dl>${entries.join('')}</dl></html>`;
}
