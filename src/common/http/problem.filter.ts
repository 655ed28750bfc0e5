import { Catch, HttpException, Injectable, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../config/index.js';
import { isUnavailable } from '../database/index.js';
import { isDiskFull, isStorageAway } from '../storage/index.js';
import { markup } from './html.js';
import { page } from './page.js';
import {
  Internal,
  InvalidRequest,
  MethodNotAllowed,
  NotFound,
  Overloaded,
  Problem,
  StorageFull,
} from '../problems/index.js';
import { pathOf } from './path-of.js';
import { API_PREFIX, RouteTable } from './route-table.js';

/** Answers every exception with `application/problem+json` (RFC 9457). Undeclared exceptions become `internal` and are logged. */
@Catch()
@Injectable()
export class ProblemFilter implements ExceptionFilter {
  private readonly log = new Logger('Problem');

  constructor(
    private readonly routes: RouteTable,
    private readonly config: Config,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.refuse(thrown, http.getRequest<Request>(), http.getResponse<Response>());
  }

  /**
   * Answers a request with the problem that was thrown.
   * @param isPage whether to answer with a page; by default for unknown paths outside the API that a person opened
   */
  refuse(
    thrown: unknown,
    request: Request & { id?: unknown },
    response: Response,
    isPage: (problem: Problem) => boolean = (problem) =>
      problem instanceof NotFound && prefersHtml(request) && !pathOf(request).startsWith(`${API_PREFIX}/`),
  ): void {
    const problem = this.asProblem(thrown, request);
    if (problem.spec.status >= 500)
      this.log.error({ msg: problem.spec.code, requestId: request.id, err: problem.cause ?? problem });
    if (response.headersSent) {
      // Part of the answer is sent: only a cut connection tells the caller that it failed.
      response.destroy();
      return;
    }
    const { code, status, title } = problem.spec;
    response.status(status).set(problem.extras.headers ?? {});
    if (isPage(problem)) {
      const home = `${this.config.publicUrl}/`;
      const body = markup`<p>${problem.message} Go to <a href="${home}">the start page</a>.</p>`;
      response.type('html').send(page(title, markup`${body}<p><code>${code}</code></p>`));
      return;
    }
    response.type('application/problem+json').send(
      JSON.stringify({
        type: `${this.config.publicUrl}/api/docs/problems#${code}`,
        title,
        status,
        code,
        detail: problem.message,
        instance: pathOf(request),
        requestId: request.id,
        ...(problem.extras.errors === undefined ? {} : { errors: problem.extras.errors }),
        ...problem.extras.members,
      }),
    );
  }

  private asProblem(thrown: unknown, request: Request): Problem {
    if (thrown instanceof Problem) return thrown;
    if (thrown instanceof HttpException && thrown.getStatus() === 404) return this.noRoute(request);
    if (thrown instanceof HttpException && thrown.getStatus() === 503) return new Overloaded();
    if (thrown instanceof URIError || (thrown instanceof HttpException && thrown.getStatus() === 400))
      return new InvalidRequest([{ field: '', message: 'The request line or body cannot be read.' }]);
    if (isDiskFull(thrown)) return new StorageFull(thrown);
    return isUnavailable(thrown) || isStorageAway(thrown) ? new Overloaded(thrown) : new Internal(thrown);
  }

  private noRoute(request: Request): Problem {
    const methods = [...new Set(this.routes.at(pathOf(request)).map(({ method }) => method))];
    if (methods.length === 0 || methods.includes(request.method)) return new NotFound(pathOf(request).slice(0, 200));
    return new MethodNotAllowed(request.method, methods);
  }
}

/** Whether the caller prefers HTML to JSON, as a browser does that opens a link. */
export const prefersHtml = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';
