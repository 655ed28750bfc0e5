import http, { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application } from 'express';

const { version: INSTALLED } = createRequire(import.meta.url)('express/package.json') as { readonly version: string };

/** What this was tested with: an Express that gives each request and response the application's own prototype. */
const KNOWN = /^5\.\d+\.\d+$/;

/** An application with the prototypes that it gives to what it handles. */
export interface PrototypedApplication extends Application {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

type Constructor = new (...args: never[]) => object;

/**
 * Express as it is, at a multiple of its speed. It gives every request and response a new prototype, and V8 treats objects to which that
 * was done as slow from then on (facts/performance 3a). Here Node makes them with the prototype that Express is about to give them, so that
 * nothing changes. An Express that is not known to work so, HTTPS, and tracked connections get the stock server.
 */
export class StableExpressAdapter extends ExpressAdapter {
  /** @param version of Express, when other than the one that is installed */
  constructor(private readonly version = INSTALLED) {
    super();
  }

  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    const app: PrototypedApplication = this.getInstance();
    const isStock = options?.httpsOptions !== undefined || options?.forceCloseConnections === true;
    if (isStock || !this.isKnown(app)) return;
    const types = {
      IncomingMessage: withPrototype(IncomingMessage, app.request),
      ServerResponse: withPrototype(ServerResponse, app.response),
    };
    this.setHttpServer(http.createServer(types, app));
  }

  private isKnown({ request, response }: PrototypedApplication): boolean {
    const isAsKnown = request instanceof IncomingMessage && response instanceof ServerResponse;
    return KNOWN.test(this.version) && isAsKnown && [IncomingMessage, ServerResponse].every(isFunction);
  }
}

/**
 * A constructor of the same objects with a prototype of one's choice. It runs Node's own as the plain function that it is: made by
 * `Reflect.construct` instead, the objects would be as slow as those that Express changes.
 */
function withPrototype<Type extends Constructor>(type: Type, prototype: InstanceType<Type>): Type {
  function Made(this: object, first: never, second: never): void {
    (type as unknown as (this: object, first: never, second: never) => void).call(this, first, second);
  }
  Made.prototype = prototype;
  return Made as unknown as Type;
}

/** Whether a constructor may be called as a function, as those of Node are. */
const isFunction = (type: Constructor): boolean => !Function.prototype.toString.call(type).startsWith('class');
