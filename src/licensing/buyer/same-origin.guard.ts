import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../../common/config/index.js';
import { BuyerFormRefused } from './buyer.problems.js';

/**
 * Refuses forms sent from another site's page, which could sign a browser in with another person's link. Browsers send the site or the
 * origin; a client that sends neither is not a browser.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = context.switchToHttp().getRequest<Request>();
    if (method === 'GET') return true;
    const { origin, 'sec-fetch-site': site } = headers;
    const isOwn =
      site === undefined
        ? origin === undefined || origin === this.config.origin
        : site === 'same-origin' || site === 'none';
    if (!isOwn) throw new BuyerFormRefused();
    return true;
  }
}
