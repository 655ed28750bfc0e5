import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { SetMetadata } from '@nestjs/common';
import { HTTP_CODE_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request, RequestHandler, Response } from 'express';
import { isPlainJson } from './json-body.js';
import { knownAddress } from './known-address.js';
import { observe, REQUEST_ID_HEADER, type Observer } from './observe.js';
import type { ProblemFilter } from './problem.filter.js';
import { harmless, readerOf } from './request-pipe.js';
import type { Route, RouteTable } from './route-table.js';
import { prepareHeaders, sendJson, setPreparedHeaders } from './send.js';
import type { PrototypedApplication, Shortcut } from './stable-express-adapter.js';
import { cutUnreadBodies } from './unread-body.js';
import { readJson } from './whole-json.js';

const FAST_PATH = 'pierhead:fast-path';

/**
 * Requests as every installed extension sends them are served past Express and Nest, at half the time (bench/README.md); all others of the
 * route go the long way, with the same answers. For public routes without parameters in their path, whose handler takes nothing but the
 * body (read by its DTO's `@ReadBy`), the caller's address, the request and the response.
 */
export const FastPath = (): MethodDecorator => SetMetadata(FAST_PATH, true);

export const isFastPath = (handler: object): boolean => Reflect.getMetadata(FAST_PATH, handler) === true;

/** What all requests go through, long way or short. */
export interface Surroundings {
  readonly observers: readonly Observer[];
  /** Middleware that sets headers, the same ones for every answer of a route. */
  readonly headers: readonly RequestHandler[];
  readonly problems: ProblemFilter;
}

interface FastRoute {
  /** Of a success. */
  readonly status: number;
  readonly headers: readonly string[];
  readonly readsOwnBody: boolean;
  /** Answers what is to be sent, or has sent it. */
  readonly handle: (request: Request, response: Response, body: unknown) => Promise<object | undefined>;
}

type Argument = (request: Request, response: Response, body: unknown) => unknown;
type Handler = (...given: unknown[]) => Promise<object | undefined>;

/**
 * The short way to every route that has one. It does what the middleware, AccessGuard, RequestPipe and ProblemFilter would.
 * @throws at boot when a route has it that may not
 */
export function fastPath(
  app: PrototypedApplication,
  routes: RouteTable,
  { observers, headers, problems }: Surroundings,
): Shortcut {
  const fast = new Map(
    routes.routes
      .filter(({ isFast }) => isFast)
      .map((route) => [route.path, toFastRoute(route, headersOf(app, route, headers))]),
  );

  const serve = (route: FastRoute, request: Request, response: Response): void => {
    request.originalUrl = request.url;
    const requestId = observe(request, response, observers);
    prepareHeaders(response, [...route.headers, REQUEST_ID_HEADER, requestId]);
    knownAddress(request, response, () => void answer(route, request, response));
  };

  const answer = async (route: FastRoute, request: Request, response: Response): Promise<void> => {
    try {
      const body = route.readsOwnBody ? undefined : await readJson(request);
      const said = await route.handle(request, response, body);
      if (said !== undefined) sendJson(response, route.status, said);
    } catch (thrown) {
      // From here on as Express would: a refusal need not be quick.
      request.res = response;
      if (!response.headersSent) setPreparedHeaders(response);
      cutUnreadBodies(request, response, () => undefined);
      problems.refuse(thrown, request, response);
    }
  };

  return (request, response) => {
    const route = request.method === 'POST' ? fast.get(request.url) : undefined;
    if (route === undefined || !(route.readsOwnBody || isPlainJson(request))) return false;
    serve(route, request, response);
    return true;
  };
}

/** The headers that middleware gives each answer of a route: it is asked once. */
function headersOf(
  app: PrototypedApplication,
  { method, path }: Route,
  middleware: readonly RequestHandler[],
): readonly string[] {
  const request = Object.setPrototypeOf(new IncomingMessage(new Socket()), app.request) as Request;
  Object.assign(request, { method, url: path });
  const response = Object.setPrototypeOf(new ServerResponse(request), app.response) as Response;
  for (const set of middleware) set(request, response, () => undefined);
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}

function toFastRoute({ controller, handlerName, ...route }: Route, headers: readonly string[]): FastRoute {
  if (route.method !== 'POST' || route.access.kind !== 'public' || route.path.includes('{'))
    throw new Error(`${route.operationId} cannot have a fast path: it is no public POST at a fixed path`);
  const handler = (controller as Readonly<Record<string, Handler>>)[handlerName];
  if (handler === undefined) throw new Error(`${route.operationId} has no handler`);
  const given = argumentsOf(controller, handlerName, route.operationId);
  return {
    status: (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ?? 201,
    headers,
    readsOwnBody: route.readsOwnBody,
    handle: (request, response, body) =>
      handler.apply(
        controller,
        given.map((argument) => argument(request, response, body)),
      ),
  };
}

/** What a handler is called with, read from the same decorators by which Nest knows it. */
function argumentsOf(controller: object, handlerName: string, operationId: string): readonly Argument[] {
  const decorated = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller.constructor, handlerName) ?? {}) as Readonly<
    Record<string, { readonly index: number }>
  >;
  const types = Reflect.getMetadata('design:paramtypes', controller, handlerName) as readonly object[];
  const given: Argument[] = [];
  for (const [key, { index }] of Object.entries(decorated)) {
    const argument = argumentOf(Number(key.split(':')[0]), types[index] ?? Object);
    if (argument === undefined) throw new Error(`${operationId} cannot have a fast path: see its parameter ${index}`);
    given[index] = argument;
  }
  return given;
}

/** @param kind of Nest's parameter decorators */
function argumentOf(kind: number, dto: object): Argument | undefined {
  const read = readerOf(dto);
  const known = new Map<number, Argument | undefined>([
    [RouteParamtypes.REQUEST, (request) => request],
    [RouteParamtypes.RESPONSE, (_, response) => response],
    [RouteParamtypes.IP, ({ ip }) => ip],
    [RouteParamtypes.BODY, read && ((_, __, body) => read(harmless(body)))],
  ]);
  return known.get(kind);
}
