import http, { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application } from 'express';

const { version: INSTALLED } = createRequire(import.meta.url)('express/package.json') as { readonly version: string };

/** The tested versions: Express gives each request and response the application's prototype. */
const KNOWN = /^5\.\d+\.\d+$/;

/** An application with the prototypes that it gives to requests and responses. */
export interface PrototypedApplication extends Application {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

type Constructor = new (...args: never[]) => object;

/**
 * Makes Express faster without changing what it does. Express sets a new prototype on every request and response, which V8 treats as slow
 * objects from then on. Here Node creates them with the prototype that Express would set, so that setting it changes nothing. Unknown
 * versions of Express, HTTPS and tracked connections get the stock server.
 */
export class StableExpressAdapter extends ExpressAdapter {
  /** @param version of Express; by default the installed one */
  constructor(private readonly version = INSTALLED) {
    super();
  }

  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    const app: PrototypedApplication = this.getInstance();
    const isStock = options?.httpsOptions !== undefined || options?.forceCloseConnections === true;
    if (isStock) return;
    const types = this.isKnown(app)
      ? {
          IncomingMessage: withPrototype(IncomingMessage, app.request),
          ServerResponse: withPrototype(ServerResponse, app.response),
        }
      : {};
    this.setHttpServer(http.createServer(types, app));
  }

  private isKnown({ request, response }: PrototypedApplication): boolean {
    const isAsKnown = request instanceof IncomingMessage && response instanceof ServerResponse;
    return KNOWN.test(this.version) && isAsKnown && [IncomingMessage, ServerResponse].every(isFunction);
  }
}

/**
 * Makes a constructor of the same objects with another prototype. It calls Node's constructor as a plain function: `Reflect.construct` would
 * make objects as slow as those that Express changes.
 */
function withPrototype<Type extends Constructor>(type: Type, prototype: InstanceType<Type>): Type {
  function Made(this: object, first: never, second: never): void {
    (type as unknown as (this: object, first: never, second: never) => void).call(this, first, second);
  }
  Made.prototype = prototype;
  return Made as unknown as Type;
}

/** Whether a constructor can be called as a function, as Node's can. */
const isFunction = (type: Constructor): boolean => !Function.prototype.toString.call(type).startsWith('class');
