import {
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Standby } from './standby.js';

@Injectable()
class StandbyInterceptor implements NestInterceptor {
  constructor(private readonly standby: Standby) {}

  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return from(this.standby.read(() => lastValueFrom(next.handle())));
  }
}

/**
 * Lets a report or a list read from the standby of `DATABASE_READ_URL`. Only for routes that write nothing and do not stream: a request that fails
 * on the standby runs again on the primary.
 */
export const ReadsStandby = (): MethodDecorator => UseInterceptors(StandbyInterceptor);
