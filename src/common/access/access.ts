import {
  applyDecorators,
  createParamDecorator,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension } from '@nestjs/swagger';
import { CrossOriginRefused, InsufficientScope, Throws, Unauthenticated } from '../problems/index.js';

/** What an access token may be allowed to do. `write` implies `read` of the same kind; `*` implies everything. */
export const SCOPES = [
  'extensions:read',
  'extensions:write',
  'artifacts:write',
  'licenses:read',
  'licenses:write',
  'analytics:read',
  '*',
] as const;
export type Scope = (typeof SCOPES)[number];

/** How a route authenticates its callers. Each route has exactly one rule. */
export type Access =
  | { readonly kind: 'bearer'; readonly scope: Exclude<Scope, '*'> }
  | { readonly kind: 'session' }
  | { readonly kind: 'public'; readonly why: string }
  | { readonly kind: 'signature' };

const ACCESS = 'pierhead:access';

/** A handler or a class. */
type MetadataHolder = Parameters<Reflector['get']>[1];

/** For scripts and CI: requires an access token with the scope. */
export const Bearer = (scope: Exclude<Scope, '*'>): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'bearer', scope } satisfies Access),
    ApiBearerAuth(),
    ApiExtension('x-scope', scope),
    Throws(Unauthenticated, InsufficientScope),
  );

/** For people in a browser: requires the cookie `svc_session`. */
export const Session = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'session' } satisfies Access),
    ApiCookieAuth(),
    Throws(Unauthenticated, CrossOriginRefused),
  );

/** For anyone. `why` explains why that is safe. */
export const Public = (why: string): MethodDecorator => SetMetadata(ACCESS, { kind: 'public', why } satisfies Access);

/**
 * For senders that sign their body. The guard verifies the signature; without one, the route would be open.
 * @public
 */
export const Signature = (guard: Type<CanActivate>): MethodDecorator =>
  applyDecorators(SetMetadata(ACCESS, { kind: 'signature' } satisfies Access), UseGuards(guard));

/** Returns the access rule of a route. */
export const accessOf = (reflector: Reflector, handler: MetadataHolder): Access | undefined =>
  reflector.get<Access | undefined>(ACCESS, handler);

/** The authenticated caller of a request: always one tenant's, by an access token or a session. */
export interface Caller {
  readonly tenantId: string;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly scopes: readonly Scope[];
}

/** The caller of a request to a Bearer or Session route, where Passport puts it. */
export function callerOf(context: ExecutionContext): Caller {
  const { user } = context.switchToHttp().getRequest<{ readonly user?: Caller }>();
  if (user === undefined) throw new Error('Only Bearer and Session routes have a caller');
  return user;
}

/** Whether the scopes of a caller include the scope that a route requires. */
export function allows(held: readonly Scope[], needed: Exclude<Scope, '*'>): boolean {
  if (held.includes('*') || held.includes(needed)) return true;
  const [kind, action] = needed.split(':');
  return action === 'read' && held.some((scope) => scope === `${kind}:write`);
}

/** Injects the caller of a Bearer or Session route. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => callerOf(context));
