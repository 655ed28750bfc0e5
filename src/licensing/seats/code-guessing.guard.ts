import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CodeLimitsService } from './code-limits.service.js';

/** Refuses an address that has tried too many unknown codes. */
@Injectable()
export class CodeGuessingGuard implements CanActivate {
  constructor(private readonly limits: CodeLimitsService) {}

  /** @throws RateLimited */
  canActivate(context: ExecutionContext): Promise<boolean> {
    return this.limits.admit(context.switchToHttp().getRequest<Request>().ip ?? '').then(() => true);
  }
}
