import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import express, { type Request, type Router } from 'express';
import { type Answer, jsonAnswer, JSON_TYPE, Refusal, textAnswer } from './answer.js';
import type { FaultRegistry, FaultEffect, FaultReply } from './faults.js';
import type { RequestLog } from './request-log.js';
import type { SimClock } from './sim-clock.js';
import type { StandIn, StoreCall, StoreRoute } from './stand-in.js';

const MAX_BUFFERED_BYTES = 1024 * 1024;

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly standIn: StandIn;
  readonly route: StoreRoute;
  readonly call: StoreCall;
}

/** Handles every request to a stand-in: writes the log, applies faults and sends the answer. */
export class RequestDispatcher {
  constructor(
    private readonly standIns: readonly StandIn[],
    private readonly faults: FaultRegistry,
    private readonly log: RequestLog,
    private readonly clock: SimClock,
    /** Ends delays when the sandbox closes. */
    private readonly closing: AbortSignal,
  ) {}

  /** The routes of all stand-ins, in their order. */
  router(): Router {
    const router = express.Router();
    for (const standIn of this.standIns)
      for (const route of standIn.routes) {
        const verb = (route.method === '*' ? 'all' : route.method.toLowerCase()) as 'all';
        router[verb](route.path, (req, res) => this.serve(req, res, standIn, route));
      }
    return router.use((req, res) =>
      send(req, res, jsonAnswer(404, { error: `the sandbox stands in for nothing at ${req.method} ${req.path}` })),
    );
  }

  private async serve(req: Request, res: ServerResponse, standIn: StandIn, route: StoreRoute): Promise<void> {
    try {
      const body = route.body === 'buffer' ? await readSmallBody(req) : Buffer.alloc(0);
      if (body === null) {
        await send(req, res, textAnswer(413, 'text/html; charset=UTF-8', 'Error 413 (Request Entity Too Large)'));
        return;
      }
      const { method, headers } = req;
      const params = req.params as Record<string, string>;
      const call: StoreCall = { method, url: new URL(`http://sandbox${req.url}`), params, headers, body, stream: req };
      await this.answer({ req, res, standIn, route, call });
    } catch (error) {
      // A client may disconnect in the middle of its request.
      if (!req.destroyed) throw error;
    }
  }

  private async answer(exchange: Exchange): Promise<void> {
    const { standIn, route, call } = exchange;
    const subject = route.subject?.(call) ?? { publisherId: call.params.publisherId, itemId: call.params.itemId };
    const about = { store: standIn.id, operation: route.operation, method: call.method };
    const body = route.visibleBody?.(call) ?? null;
    const entry = this.log.open({
      ...about,
      at: this.clock.now(),
      url: call.url,
      subject,
      headers: call.headers,
      body,
    });
    const effect = this.faults.take({ ...about, ...subject, path: call.url.pathname });
    entry.fault = effect?.kind ?? null;
    entry.status = await this.carryOut(exchange, effect);
  }

  /** The status that was sent, or `null` when the connection was closed instead. */
  private async carryOut(exchange: Exchange, effect: FaultEffect | null): Promise<number | null> {
    const { req, res } = exchange;
    switch (effect?.kind) {
      case 'drop-before':
        return hangUp(req);
      case 'status':
        return send(req, res, chosenAnswer(exchange, effect.status, effect.reply));
      case 'body':
        return send(req, res, chosenAnswer(exchange, 200, effect.reply));
      case 'huge-body':
        return sendHuge(req, res, effect.megabytes);
      case 'delay':
        await this.wait(effect.ms);
        break;
      default:
        break;
    }
    const answer = await act(exchange);
    if (answer === null || effect?.kind === 'drop-after') return hangUp(req);
    if (effect?.kind === 'delay-after') await this.wait(effect.ms);
    if (effect?.kind === 'status-after') return send(req, res, chosenAnswer(exchange, effect.status, effect.reply));
    return send(req, res, answer);
  }

  private async wait(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.closing }).catch(() => undefined);
  }
}

/** `null` when the body is larger than any API call may be. */
async function readSmallBody(req: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BUFFERED_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Runs the route's handler; `null` when the client disconnected in the middle of its request. */
async function act({ req, route, call }: Exchange): Promise<Answer | null> {
  try {
    return await route.handle(call);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    if (req.destroyed && !req.complete) return null;
    console.error(`sandbox: ${route.operation} failed`, error);
    return jsonAnswer(500, { error: `the sandbox itself failed: ${String(error)}` });
  }
}

function chosenAnswer({ standIn, route }: Exchange, status: number, reply: FaultReply): Answer {
  const own = standIn.faultAnswer(route.operation, status);
  if (reply.body === undefined) return { ...own, status, headers: { ...own.headers, ...reply.headers } };
  const { body } = reply;
  const isText = typeof body === 'string';
  return {
    status,
    headers: { 'Content-Type': isText ? 'text/html; charset=UTF-8' : JSON_TYPE, ...reply.headers },
    body: isText ? body : JSON.stringify(body),
  };
}

function hangUp(req: IncomingMessage): null {
  req.socket.destroy();
  return null;
}

async function send(req: IncomingMessage, res: ServerResponse, answer: Answer): Promise<number> {
  await drain(req);
  const content = answer.bytes ?? answer.body;
  res.writeHead(answer.status, { ...answer.headers, 'Content-Length': Buffer.byteLength(content) });
  res.end(content);
  return answer.status;
}

async function sendHuge(req: IncomingMessage, res: ServerResponse, megabytes: number): Promise<number> {
  await drain(req);
  res.writeHead(200, { 'Content-Type': JSON_TYPE });
  // A client that limits what it reads disconnects here.
  await pipeline(Readable.from(hugeJson(megabytes)), res).catch(() => undefined);
  return 200;
}

function* hugeJson(megabytes: number): Generator<string> {
  const block = 'x'.repeat(64 * 1024);
  yield '{"padding":"';
  for (let sent = 0; sent < megabytes * 16; sent += 1) yield block;
  yield '"}';
}

/** Reads the rest of a request, because a client that is still sending may not read an early answer. */
async function drain(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return;
  req.resume();
  await Promise.race([finished(req, { writable: false }), once(req, 'close')]).catch(() => undefined);
}
