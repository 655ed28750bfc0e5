import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Role } from './roles.js';

/** Where a job of a CI service comes from, as the claims of its token say. */
export interface CiOrigin {
  readonly repository: string;
  /** In full, such as `refs/heads/main`. */
  readonly ref: string | null;
  /** The full hash. */
  readonly commit: string | null;
  /** The file of the workflow, with its repository and ref where the service names them. */
  readonly workflow: string | null;
  /** Pages of the service; null where its addresses are not known. */
  readonly runUrl: string | null;
  readonly commitUrl: string | null;
}

/**
 * The actor; `unknown` is a caller who has not proved an identity. `name` is what people call the actor: an e-mail address, the name of a token, the
 * rule and repository of a CI job, a processor, a command.
 */
export type Actor =
  | {
      readonly kind: 'user';
      readonly id: string;
      readonly name: string;
      readonly role: Role;
      /** Null for a sign-up, whose session begins after it. */
      readonly sessionId: string | null;
    }
  | {
      readonly kind: 'token';
      readonly id: string;
      readonly name: string;
      readonly role: Role | null;
      /** The user who made it; null where that is not known. */
      readonly owner: { readonly id: string; readonly email: string } | null;
    }
  | { readonly kind: 'ci'; readonly id: string; readonly name: string; readonly origin: CiOrigin | null }
  | { readonly kind: 'processor'; readonly name: string }
  | { readonly kind: 'operator'; readonly name: string }
  | { readonly kind: 'buyer' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'service' };

/** Fields of all log lines of a request, or of one piece of background work. */
export interface LogContext {
  requestId?: string;
  tenantId?: string;
  extensionId?: string;
  targetId?: string;
}

/** Facts about a request, or about one piece of background work. */
export interface WorkContext extends LogContext {
  /** The address that the request came from. */
  address?: string;
  /** Its headers, which hold secrets and are never logged. */
  headers?: IncomingHttpHeaders;
  /** Unset where the service itself acts. */
  actor?: Actor;
}

const current = new AsyncLocalStorage<WorkContext>();

/** Returns what is known of the current request or work. */
export const workContext = (): Readonly<WorkContext> => current.getStore() ?? {};

/** Returns what the log lines of the current request or work carry. */
export function logContext(): LogContext {
  const { address: _address, headers: _headers, actor: _actor, ...logged } = workContext();
  return logged;
}

/** Returns who acts now: the caller of the request, once the access guard has admitted it, and the service otherwise. */
export const currentActor = (): Actor => workContext().actor ?? { kind: 'service' };

/** Returns the name of the current actor; null when it has none. */
export function actorName(): string | null {
  const actor = currentActor();
  return 'name' in actor ? actor.name : null;
}

/** Returns the user behind the current actor, also of a token; null for a CI job, and where nobody is known. */
export function actingPerson(): string | null {
  const actor = currentActor();
  if (actor.kind === 'user') return actor.id;
  return actor.kind === 'token' ? (actor.owner?.id ?? null) : null;
}

/** Runs work with this context, in addition to that of the work that it is part of. */
export const withWorkContext = <Result>(fields: WorkContext, work: () => Result): Result =>
  current.run({ ...current.getStore(), ...fields }, work);

/** Runs work without the context of the work that started it. */
export const withoutWorkContext = <Result>(work: () => Result): Result => current.run({}, work);

/** Runs work in the name of an actor. */
export const actAs = <Result>(actor: Actor, work: () => Result): Result => withWorkContext({ actor }, work);

/** Adds fields to the context of the current request or work. */
export function addToWorkContext(fields: WorkContext): void {
  Object.assign(current.getStore() ?? {}, fields);
}

/** Middleware that gives each request a context, with its id, address and headers. */
export const requestContext: RequestHandler = (request: Request & { id?: string }, _response, next) => {
  const { id, ip, headers } = request;
  withWorkContext(
    { headers, ...(id === undefined ? {} : { requestId: id }), ...(ip === undefined ? {} : { address: ip }) },
    next,
  );
};
