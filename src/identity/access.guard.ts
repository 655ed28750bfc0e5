import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { accessOf, allows, type Access, type AdmittedRequest } from '../common/access/index.js';
import { Config } from '../common/config/index.js';
import { CrossOriginRefused, InsufficientScope, Unauthenticated } from '../common/problems/index.js';
import { AccessTokensService } from './access-tokens.service.js';
import { SessionsService } from './sessions.service.js';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Lets a request through by its route's access rule. A route without a rule is closed. */
@Injectable()
export class AccessGuard implements CanActivate {
  /** Where pages of this service come from: what the `Host` header says is the sender's own word. */
  private readonly origin: string;

  constructor(
    private readonly reflector: Reflector,
    config: Config,
    private readonly tokens: AccessTokensService,
    private readonly sessions: SessionsService,
  ) {
    this.origin = new URL(config.publicUrl).origin;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = accessOf(this.reflector, context.getHandler());
    switch (access?.kind) {
      case 'public':
      case 'signature':
        return true;
      case 'bearer':
        return this.admitBearer(context, access);
      case 'session':
        return this.admitSession(context);
      default:
        throw new Unauthenticated('missing');
    }
  }

  private async admitBearer(context: ExecutionContext, { scope }: Extract<Access, { kind: 'bearer' }>): Promise<true> {
    const request = context.switchToHttp().getRequest<AdmittedRequest>();
    const caller = await this.tokens.callerOf(request.headers.authorization);
    if (!allows(caller.scopes, scope)) throw new InsufficientScope(scope);
    request.caller = caller;
    return true;
  }

  private async admitSession(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<AdmittedRequest>();
    const caller = await this.sessions.callerOf(request.headers.cookie, http.getResponse<Response>());
    if (caller === null) throw new Unauthenticated('Session');
    if (!READING.has(request.method) && !this.isSameOrigin(request)) throw new CrossOriginRefused(this.origin);
    request.caller = caller;
    return true;
  }

  /** A browser says where a request comes from; whoever says nothing is no browser and carries no stolen cookie. */
  private isSameOrigin(request: Request): boolean {
    const { origin } = request.headers;
    if (origin !== undefined) return origin === this.origin;
    const site = request.headers['sec-fetch-site'];
    return site === undefined || site === 'same-origin' || site === 'none';
  }
}
