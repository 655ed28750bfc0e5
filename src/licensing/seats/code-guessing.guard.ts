import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CodeLimitsService } from './code-limits.service.js';

/** Refuses an address that has tried too many unknown codes. */
@Injectable()
export class CodeGuessingGuard implements CanActivate {
  constructor(private readonly limits: CodeLimitsService) {}

  /** @throws RateLimited */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.limits.admit(context.switchToHttp().getRequest<Request>().ip ?? '');
    return true;
  }
}
