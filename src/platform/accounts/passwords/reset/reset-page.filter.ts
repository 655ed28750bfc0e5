import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ProblemFilter, sendPage } from '../../../../common/http/index.js';
import { InvalidRequest, Problem } from '../../../../common/problems/index.js';
import { resetFailedPage, resetPage } from './reset-page.js';

/** Answers a declared problem with a page, and a password that is refused with the form again; ProblemFilter answers all other failures. */
@Catch()
@Injectable()
export class ResetPageFilter implements ExceptionFilter {
  constructor(private readonly problems: ProblemFilter) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request<unknown, unknown, { readonly token?: unknown } | undefined>>();
    const response = http.getResponse<Response>();
    if (!(thrown instanceof Problem) || thrown.spec.status >= 500 || response.headersSent)
      return this.problems.refuse(thrown, http.getRequest<Request>(), response);
    const token = request.body?.token;
    const fault = thrown instanceof InvalidRequest ? faultOf(thrown) : undefined;
    const page =
      fault === undefined || typeof token !== 'string'
        ? resetFailedPage(thrown.spec.title, thrown.message)
        : resetPage(token, `The password ${fault}`);
    sendPage(response.set(thrown.extras.headers ?? {}), { page, status: thrown.spec.status });
  }
}

/** The fault of the password, if that is the problem. */
const faultOf = ({ extras }: Problem): string | undefined =>
  extras.errors?.find(({ field }) => field === 'newPassword')?.message;
