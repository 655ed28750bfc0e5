import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { accessOf, addToWorkContext, callerOf, lacks, type Access } from '../../../common/access/index.js';
import {
  InsufficientScope,
  OperatorRequired,
  RoleNotAllowed,
  Unauthenticated,
} from '../../../common/problems/index.js';
import { BearerGuard } from './bearer.guard.js';
import { SessionCookie } from '../../accounts/index.js';
import { SessionGuard } from './session.guard.js';

type Authenticated = Exclude<Access, { readonly kind: 'public' | 'signature' }>;

/** Runs the guard that a route's access decorator names, then checks the route's permission. A route without a decorator is closed. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly bearer: BearerGuard,
    private readonly session: SessionGuard,
    private readonly cookie: SessionCookie,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = accessOf(this.reflector, context.getHandler());
    if (access === undefined) throw new Unauthenticated('missing');
    return access.kind === 'public' || access.kind === 'signature' || this.admit(access, context);
  }

  private async admit(access: Authenticated, context: ExecutionContext): Promise<true> {
    await this.guardOf(access, context).canActivate(context);
    const caller = callerOf(context);
    addToWorkContext({ tenantId: caller.tenantId, actor: caller.actor });
    const lacking = lacks(caller, access.permission);
    if (lacking === 'scope') throw new InsufficientScope(access.permission);
    if (lacking === 'role') throw new RoleNotAllowed(caller.role ?? '', access.permission);
    if ('operator' in access && access.operator === true && !caller.isOperator) throw new OperatorRequired();
    return true;
  }

  private guardOf({ kind }: Authenticated, context: ExecutionContext): CanActivate {
    if (kind !== 'either') return kind === 'bearer' ? this.bearer : this.session;
    const request = context.switchToHttp().getRequest<Request>();
    const isBearer = request.headers.authorization !== undefined && this.cookie.read(request) === undefined;
    return isBearer ? this.bearer : this.session;
  }
}
