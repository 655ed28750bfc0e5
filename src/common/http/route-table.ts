import { Injectable, RequestMethod, SetMetadata } from '@nestjs/common';
// Nest has no public way to read a route's method and path; @nestjs/swagger reads the same two keys.
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { validate as isUuid } from 'uuid';
import { accessOf, type Access } from '../access/index.js';
import { problemsOf, type ProblemSpec } from '../problems/index.js';
import { bodyOf, type BodyKind } from './bodies/body-kind.js';
import { sendsEntityTags } from './conditional/conditional.decorator.js';
import { isCrossOrigin } from './cross-origin.decorator.js';

export const API_PREFIX = '/api/v1';

const OUTSIDE_API = 'pierhead:outside-api';

/** Places a controller's routes at the root instead of below the API's prefix. */
export const OutsideApi = (): ClassDecorator => SetMetadata(OUTSIDE_API, true);

export interface Route {
  readonly method: string;
  /** Full path with parameters in braces, as OpenAPI writes it. */
  readonly path: string;
  /** `Controller_method`, as OpenAPI names the operation. */
  readonly operationId: string;
  readonly access: Access;
  readonly problems: readonly ProblemSpec[];
  readonly body: BodyKind;
  /** Pages of any origin may call it. */
  readonly isCrossOrigin: boolean;
  /** Resources in its answers come with an `ETag`. */
  readonly sendsEntityTags: boolean;
}

/** Whether a body sent to the route is read as JSON, which holds for all routes that change something. */
export const takesJson = ({ method, body }: Route): boolean => method !== 'GET' && body.startsWith('json');

interface Matcher {
  readonly route: Route;
  readonly pattern: RegExp;
}

type Handler = (...args: never[]) => unknown;

/**
 * Every route of the service, read from the controllers at start. A route without an access rule stops the start: a forgotten rule is a
 * failed deploy, not an incident.
 */
@Injectable()
export class RouteTable {
  private all: readonly Route[] = [];
  /** The routes at each path without parameters, so that the most frequent ones are found without a pattern. */
  private readonly fixed = new Map<string, readonly Route[]>();
  /** Patterns by their number of segments, so that a path is compared with few. */
  private readonly matchers = new Map<number, Matcher[]>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** Reads the controllers, which exist before the application is initialized. */
  read(): void {
    this.all = this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      const controller = instance as Record<string, Handler> | undefined;
      return controller === undefined || !metatype ? [] : this.routesOf(controller, metatype);
    });
    for (const route of this.all) {
      const pattern = new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{[^{}]+\}/g, '[^/]+')}/?$`, 'i');
      const length = lengthOf(route.path);
      this.matchers.set(length, [...(this.matchers.get(length) ?? []), { route, pattern }]);
    }
    for (const { path } of this.all) if (!path.includes('{')) this.fixed.set(path, this.matching(path));
  }

  get routes(): readonly Route[] {
    return this.all;
  }

  /** The paths at the root, with parameters as Nest writes them. */
  get pathsOutsideApi(): string[] {
    const paths = this.all.map(({ path }) => path).filter((path) => !path.startsWith(`${API_PREFIX}/`));
    return paths.map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1'));
  }

  /** Returns the routes at a path, of all methods. */
  at(path: string): readonly Route[] {
    return this.fixed.get(path) ?? this.matching(path);
  }

  /** Returns a path as it may be logged: of the caller's own segments only UUIDs; null when there is no route. */
  loggable(path: string): string | null {
    const [route] = this.at(path);
    if (route === undefined) return null;
    if (!route.path.includes('{')) return route.path;
    const given = path.split('/').filter(Boolean);
    const shown = route.path
      .split('/')
      .filter(Boolean)
      .map((segment, at) => (segment.startsWith('{') && isUuid(given[at]) ? (given[at] ?? '') : segment));
    return `/${shown.join('/')}`;
  }

  private matching(path: string): readonly Route[] {
    const matchers = this.matchers.get(lengthOf(path)) ?? [];
    return matchers.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route);
  }

  private routesOf(controller: Record<string, Handler>, metatype: object): readonly Route[] {
    const prefix = this.reflector.get<boolean | undefined>(OUTSIDE_API, metatype as Handler) ? '' : API_PREFIX;
    const base = pathText(Reflect.getMetadata(PATH_METADATA, metatype));
    return this.scanner.getAllMethodNames(Object.getPrototypeOf(controller) as object).flatMap((name) => {
      const handler = controller[name];
      const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
      if (handler === undefined || method === undefined) return [];
      const operationId = `${(metatype as Handler).name}_${name}`;
      const access = accessOf(this.reflector, handler);
      if (access === undefined)
        throw new Error(`${operationId} has no access rule: add @Bearer, @Session, @Public or @Signature`);
      const path = [prefix, base, pathText(Reflect.getMetadata(PATH_METADATA, handler))].filter(Boolean).join('/');
      return [
        {
          method: RequestMethod[method] ?? 'GET',
          path: path
            .replaceAll(/\/+/g, '/')
            .replaceAll(/:([A-Za-z]+)/g, '{$1}')
            .replace(/^(?!\/)/, '/'),
          operationId,
          access,
          problems: problemsOf(this.reflector, handler).map(({ spec }) => spec),
          body: bodyOf(this.reflector, handler),
          isCrossOrigin: isCrossOrigin(this.reflector, handler),
          sendsEntityTags: sendsEntityTags(this.reflector, metatype as Handler),
        },
      ];
    });
  }
}

/** Counts the segments of a path; empty ones do not count. */
const lengthOf = (path: string): number => path.split('/').filter(Boolean).length;

const pathText = (path: unknown): string =>
  typeof path === 'string' && path !== '/' ? path.replace(/^\/|\/$/g, '') : '';
