import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../../common/config/index.js';
import { ProblemFilter, sendPage } from '../../common/http/index.js';
import { Problem } from '../../common/problems/index.js';
import { messagePage } from './buyer-pages.js';

/** Answers a declared problem with a page; ProblemFilter answers all other failures. */
@Catch()
@Injectable()
export class BuyerPageFilter implements ExceptionFilter {
  constructor(
    private readonly config: Config,
    private readonly problems: ProblemFilter,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    if (!(thrown instanceof Problem) || thrown.spec.status >= 500 || response.headersSent)
      return this.problems.refuse(thrown, http.getRequest<Request>(), response);
    const { spec, extras, message } = thrown;
    const home = `${this.config.basePath}/buyer`;
    sendPage(response.set(extras.headers ?? {}), { page: messagePage(home, spec.title, message), status: spec.status });
  }
}
