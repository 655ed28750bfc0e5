import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { prefersHtml, ProblemFilter } from './problem.filter.js';

/** Answers a browser with a page when a request fails: a link or another site has sent a person here, who cannot read JSON. */
@Catch()
@Injectable()
export class PageFilter implements ExceptionFilter {
  constructor(private readonly problems: ProblemFilter) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    this.problems.refuse(thrown, request, http.getResponse<Response>(), () => prefersHtml(request));
  }
}
