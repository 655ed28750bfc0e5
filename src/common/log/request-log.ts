import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { newId } from '../ids/ids.js';

/**
 * One line a request, with its id, method, path, status and duration; never its query, headers or body. The id is also answered as
 * `X-Request-Id`.
 */
export const requestLog = (logger: Logger): RequestHandler =>
  pinoHttp({
    logger,
    quietReqLogger: true,
    genReqId: (_request, response) => {
      const id = newId();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    customAttributeKeys: { reqId: 'requestId', responseTime: 'ms' },
    customLogLevel: (request, response, error) =>
      error !== undefined && response.statusCode >= 500
        ? 'error'
        : /^\/(health\/|metrics$)/.test(request.url ?? '')
          ? 'debug'
          : 'info',
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
    serializers: {
      req: ({ method, url }: { readonly method: string; readonly url: string }) => ({
        method,
        path: url.split('?')[0],
      }),
      res: ({ statusCode }: { readonly statusCode: number }) => ({ status: statusCode }),
      // The cause has been logged by the filter under the same request id.
      err: () => undefined,
    },
  }) as RequestHandler;
