import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { CONTENT_SECURITY_POLICY } from './pages.js';

/** Puts on every page, also on those that say what went wrong, that nobody keeps it, frames it or runs anything in it. */
@Injectable()
export class PageHeaders implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    context.switchToHttp().getResponse<Response>().set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
    });
    return next.handle();
  }
}
