import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../../../common/config/index.js';
import { isFromOrigin } from '../../../common/http/index.js';
import { CrossOriginRefused } from '../../../common/problems/index.js';

/** Refuses forms sent from another site's page, which could approve a log-in on behalf of the person who sees it. */
@Injectable()
export class OwnPagesGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { origin } = this.config;
    if (request.method !== 'GET' && !isFromOrigin(request, origin)) throw new CrossOriginRefused(origin);
    return true;
  }
}
