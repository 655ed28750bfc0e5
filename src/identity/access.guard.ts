import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accessOf, allows, callerOf } from '../common/access/index.js';
import { InsufficientScope, Unauthenticated } from '../common/problems/index.js';
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
    switch (access?.kind) {
      case 'public':
      case 'signature':
        return true;
      case 'bearer':
        await this.bearer.canActivate(context);
        if (!allows(callerOf(context).scopes, access.scope)) throw new InsufficientScope(access.scope);
        return true;
      case 'session':
        await this.session.canActivate(context);
        return true;
      default:
        throw new Unauthenticated('missing');
    }
  }
}
