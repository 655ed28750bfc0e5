import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '../problems/index.js';
import { pathOf } from './path-of.js';
import { RouteTable } from './route-table.js';

/** Admits a path in its one spelling. For operators' routes, which proxies hide by their paths: Express also takes `/METRICS` and `/metrics/`. */
@Injectable()
export class ExactPathGuard implements CanActivate {
  constructor(private readonly routes: RouteTable) {}

  canActivate(context: ExecutionContext): boolean {
    const path = pathOf(context.switchToHttp().getRequest<Request>());
    if (!this.routes.routes.some((route) => route.path === path)) throw new NotFound(path.slice(0, 200));
    return true;
  }
}
