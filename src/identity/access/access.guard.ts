import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accessOf, allows, callerOf } from '../../common/access/index.js';
import { addToLogContext } from '../../common/observability/index.js';
import { InsufficientScope, Unauthenticated } from '../../common/problems/index.js';
import { BearerGuard } from './bearer.guard.js';
import { SessionGuard } from './session.guard.js';

/** Picks the guard that a route's access decorator names. A route without one is closed. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly bearer: BearerGuard,
    private readonly session: SessionGuard,
  ) {}

  /** @throws Unauthenticated, InsufficientScope, CrossOriginRefused */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = accessOf(this.reflector, context.getHandler());
    if (access === undefined) throw new Unauthenticated('missing');
    if (access.kind === 'public' || access.kind === 'signature') return true;
    await (access.kind === 'bearer' ? this.bearer : this.session).canActivate(context);
    const { tenantId, scopes } = callerOf(context);
    addToLogContext({ tenantId });
    if (access.kind === 'bearer' && !allows(scopes, access.scope)) throw new InsufficientScope(access.scope);
    return true;
  }
}
