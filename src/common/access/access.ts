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
import {
  CrossOriginRefused,
  InsufficientScope,
  OperatorRequired,
  RoleNotAllowed,
  SecondFactorRequired,
  Throws,
  TokenRestricted,
  Unauthenticated,
} from '../problems/index.js';
import { may, scopeOf, type Permission, type Rights, type TokenPermission } from './roles.js';
import type { Subject } from './subject.js';
import type { Actor } from './work-context.js';

/** The rule by which a route authenticates its callers. Each route has exactly one. */
export type Access =
  | {
      readonly kind: 'bearer' | 'either';
      readonly permission: TokenPermission;
      readonly subject: Subject;
      readonly secondFactor?: boolean;
    }
  | {
      readonly kind: 'session';
      readonly permission: Permission;
      readonly secondFactor?: boolean;
      readonly operator?: boolean;
    }
  | { readonly kind: 'public'; readonly why: string }
  | { readonly kind: 'signature' };

const ACCESS = 'pierhead:access';

/** A handler or a class. */
type MetadataHolder = Parameters<Reflector['get']>[1];

/** For scripts and CI: requires an access token with the scope. `subject` says what a token that is restricted to extensions gets. */
export const Bearer = (permission: TokenPermission, subject: Subject): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'bearer', permission, subject } satisfies Access),
    ApiBearerAuth(),
    ApiExtension('x-scope', scopeOf(permission)),
    Throws(Unauthenticated, InsufficientScope, RoleNotAllowed, ...(canRefuse(subject) ? [TokenRestricted] : [])),
  );

/** Whether a restricted token is refused, instead of finding nothing. */
const canRefuse = (subject: Subject): boolean =>
  subject === 'tenant' || (typeof subject === 'object' && subject.in === 'query');

/** Further requirements of a route with sessions. */
interface SessionOptions {
  /** A user with a second factor must have shown it in the session within the last 15 minutes. */
  readonly secondFactor?: boolean;
}

/** For people in a browser: requires the cookie `svc_session`, of a member whose role has the permission. */
export const Session = (
  permission: Permission,
  { secondFactor = false, operator = false }: SessionOptions & { readonly operator?: boolean } = {},
): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'session', permission, secondFactor, operator } satisfies Access),
    ApiCookieAuth(),
    Throws(Unauthenticated, CrossOriginRefused, RoleNotAllowed),
    Throws(...(secondFactor ? [SecondFactorRequired] : []), ...(operator ? [OperatorRequired] : [])),
  );

/** For people in a browser and for scripts: `@Bearer` applies to a request with an `Authorization` header and no cookie, `@Session` to any other. */
export const SessionOrBearer = (
  permission: TokenPermission,
  { secondFactor = false, subject = 'tenant' }: SessionOptions & { readonly subject?: Subject } = {},
): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'either', permission, subject, secondFactor } satisfies Access),
    ApiBearerAuth(),
    ApiCookieAuth(),
    ApiExtension('x-scope', scopeOf(permission)),
    Throws(Unauthenticated, InsufficientScope, CrossOriginRefused, RoleNotAllowed),
    Throws(...(canRefuse(subject) ? [TokenRestricted] : []), ...(secondFactor ? [SecondFactorRequired] : [])),
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

/** Returns what a route is about; undefined where no access token is accepted. */
export function subjectOf(reflector: Reflector, handler: MetadataHolder): Subject | undefined {
  const access = accessOf(reflector, handler);
  return access !== undefined && 'subject' in access ? access.subject : undefined;
}

/** The authenticated caller of a request: always one tenant's, by an access token or a session. */
export interface Caller extends Rights {
  readonly tenantId: string;
  /** The user and the session of a cookie; null for a token, even one exchanged for a session. */
  readonly userId: string | null;
  readonly sessionId: string | null;
  /** The row of the access token; null for a cookie. */
  readonly tokenId: string | null;
  /** The extensions that the token is restricted to; null for all of the tenant's. */
  readonly extensionIds: readonly string[] | null;
  /** Whether it is a session of a user who runs the instance. */
  readonly isOperator: boolean;
  readonly actor: Actor;
}

/** A caller with a session. */
export interface SessionCaller extends Caller {
  readonly userId: string;
  readonly sessionId: string;
}

/** Whether a caller may do something as the second of two people: with a session, and not as the person who came first. Pure. */
export const mayAsSecondPerson = (
  caller: Rights & Pick<Caller, 'actor'>,
  permission: Permission,
  firstId: string | null,
): boolean => caller.actor.kind === 'user' && may(caller, permission) && caller.actor.id !== firstId;

/** The caller of a request to a Bearer or Session route, where Passport puts it. */
export function callerOf(context: ExecutionContext): Caller {
  const { user } = context.switchToHttp().getRequest<{ readonly user?: Caller }>();
  if (user === undefined) throw new Error('Only Bearer and Session routes have a caller');
  return user;
}

/** Injects the caller of a Session route. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): SessionCaller => {
  const { userId, sessionId, ...caller } = callerOf(context);
  if (userId === null || sessionId === null) throw new Error('Only Session routes have a session');
  return { ...caller, userId, sessionId };
});

/** Injects the caller of a Bearer or Session route. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => callerOf(context));
