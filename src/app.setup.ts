import { IncomingMessage, ServerResponse, type Server } from 'node:http';
import { Socket } from 'node:net';
import { NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { MINUTE_MS } from './common/system/index.js';
import { AppModule } from './app.module.js';
import { ConsolePages } from './operations/console/index.js';
import { requestContext } from './common/access/index.js';
import type { Runtime } from './common/common.module.js';
import {
  API_PREFIX,
  CountryResolver,
  crossOrigin,
  cutUnreadBodies,
  requireAddress,
  observed,
  ProblemFilter,
  RequestPipe,
  RouteTable,
  StableExpressAdapter,
} from './common/http/index.js';
import { Metrics, PinoLog, requestLog } from './common/observability/index.js';
import { serveDocumentation } from './operations/documents/index.js';
import { AddonsLinter } from './stores/index.js';

/** Time for a client to send its headers, and a whole request: a package of 200 MB over a slow line. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30 * MINUTE_MS;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Makes the application, ready to listen; the same for the service and its tests. */
export async function makeApp(runtime: Runtime, log: PinoLog): Promise<NestExpressApplication> {
  CountryResolver.assertReadable(runtime.config);
  AddonsLinter.assertInstalled(runtime.config);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(runtime), new StableExpressAdapter(), {
    bodyParser: false,
    logger: log,
    abortOnError: false,
  });
  const routes = app.get(RouteTable);
  routes.read();
  app.disable('x-powered-by');
  app.set('trust proxy', runtime.config.trustProxy);
  app.set('etag', false);
  const observers = [requestLog(log.logger, routes), app.get(Metrics).observer(routes)];
  app.use(
    observed(observers),
    requireAddress,
    requestContext,
    securityHeaders(runtime.config.publicUrl),
    crossOrigin(routes),
    cutUnreadBodies,
  );
  app.setGlobalPrefix(API_PREFIX, { exclude: routes.pathsOutsideApi });
  app.useGlobalPipes(new RequestPipe());
  const problems = app.get(ProblemFilter);
  app.useGlobalFilters(problems);
  serveDocumentation(app);
  await app.init();
  // After all routes, for paths outside the API: Nest answers unknown paths only below its prefix.
  const consolePages = app.get(ConsolePages);
  app.use((request: Request, response: Response) =>
    consolePages.isOpenedBy(request)
      ? consolePages.sendPage(request, response)
      : problems.refuse(new NotFoundException(), request, response),
  );
  const server: Server = app.getHttpServer();
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  return app;
}

/**
 * Sets Helmet's headers, without those that force HTTPS when PUBLIC_URL is plain HTTP. They are the same for all requests, so Helmet computes
 * them once.
 */
function securityHeaders(publicUrl: string): RequestHandler {
  const isHttps = publicUrl.startsWith('https:');
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  helmet({
    strictTransportSecurity: isHttps,
    contentSecurityPolicy: isHttps ? true : { directives: { upgradeInsecureRequests: null } },
  })(sample.req, sample, (error) => {
    if (error !== undefined) throw error;
  });
  const headers = new Map(Object.entries(sample.getHeaders() as Record<string, string>));
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}
