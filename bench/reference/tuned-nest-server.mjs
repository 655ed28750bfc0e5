// How fast a constant answer leaves Nest and Express once everything that can be taken out of the way has been: requests and responses that
// Node makes with Express's prototypes, a lean JSON reader, a shape check without class-validator, no ETag, the simple query parser, and
// `res.end`. Started by bench/bench.mjs. Decorators are called by hand, so that nothing needs to be built.
import 'reflect-metadata';
import http, { IncomingMessage, ServerResponse } from 'node:http';
import { BadRequestException, Body, Controller, Module, Post, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';

class StableAdapter extends ExpressAdapter {
  initHttpServer() {
    const app = this.getInstance();
    // Called and not constructed: by `Reflect.construct` the same objects take five times as long.
    function Request(socket) {
      IncomingMessage.call(this, socket);
    }
    function Reply(request, options) {
      ServerResponse.call(this, request, options);
    }
    Request.prototype = app.request;
    Reply.prototype = app.response;
    this.httpServer = http.createServer({ IncomingMessage: Request, ServerResponse: Reply }, app);
  }
}

function readJson(request, response, next) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    try {
      request.body = JSON.parse(chunks.length === 1 ? chunks[0].toString() : Buffer.concat(chunks).toString());
    } catch (error) {
      return next(error);
    }
    return next();
  });
}

const isText = (value) => typeof value === 'string' && value.length <= 200;
const shape = {
  transform(body) {
    if (isText(body?.code) && isText(body.extensionId) && isText(body.fingerprint)) return body;
    throw new BadRequestException();
  },
};

class CheckController {
  check(_body, response) {
    const text = JSON.stringify({ isActive: true, tier: 'pro' });
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text);
  }
}
const { prototype } = CheckController;
Body(shape)(prototype, 'check', 0);
Res()(prototype, 'check', 1);
Reflect.decorate([Post()], prototype, 'check', Object.getOwnPropertyDescriptor(prototype, 'check'));
Controller('check')(CheckController);

class AppModule {}
Module({ controllers: [CheckController] })(AppModule);

const app = await NestFactory.create(AppModule, new StableAdapter(), { bodyParser: false, logger: ['error'] });
app.disable('x-powered-by');
app.set('etag', false);
app.set('query parser', 'simple');
app.use(readJson);
await app.listen(0, '127.0.0.1');
// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
process.send(app.getHttpServer().address().port);
