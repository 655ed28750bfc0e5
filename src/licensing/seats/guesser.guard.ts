import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CodeLimits } from './code-limits.js';

/** Keeps out an address that has tried too many unknown codes. */
@Injectable()
export class GuesserGuard implements CanActivate {
  constructor(private readonly limits: CodeLimits) {}

  /** @throws RateLimited */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.limits.admit(context.switchToHttp().getRequest<Request>().ip ?? '');
    return true;
  }
}
