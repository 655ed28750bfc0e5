import http, { type IncomingMessage, type RequestOptions, type Server } from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import type { Kernel, Party } from './kernel.js';
import { connection, FarSocket, type MemorySocket } from './sockets.js';

const require = createRequire(import.meta.url);

/** A server of the simulated world. */
interface Host {
  readonly server: Server;
  readonly party: Party;
  readonly open: Set<MemorySocket>;
}

/** Who listens for connections that are not HTTP. */
interface Listener {
  readonly party: Party;
  /** @param from who has the other end */
  readonly accept: (socket: FarSocket, from: Party) => void;
  /** Whether it takes a connection. */
  readonly listens: (from: Party) => boolean;
}

/** A call that one party makes to another. */
export interface Call {
  readonly from: Party;
  readonly host: string;
  readonly method: string;
  readonly path: string;
}

/** What happens to a call. */
export type CallFault =
  /** It never arrives. */
  | { readonly kind: 'refused' }
  /** It is carried out, and the answer never arrives. */
  | { readonly kind: 'lost' }
  /** Another answer comes, and nothing is carried out; with `isDone`, it is. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly isDone: boolean;
    }
  /** It is carried out, and a part of the answer comes. */
  | { readonly kind: 'truncated' }
  /** It takes so long. */
  | { readonly kind: 'slow'; readonly ms: number };

/** Where all clients call from, as servers see it. */
const CLIENT_ADDRESS = '203.0.113.7';

const broken = (code: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(`read ${code}`), { code }) });

/** All connections of the simulated world but the database's: the servers by their hosts, in memory. */
export class Network {
  private readonly hosts = new Map<string, Host>();
  private readonly listeners = new Map<string, Listener>();
  /** The server's ends of connections that are not HTTP, by who has the other end. */
  private readonly ends = new Map<FarSocket, Party>();
  faultOf: (call: Call) => CallFault | null = () => null;
  /** Names for whichever host serves at the moment, as a load balancer does; null while none does. */
  readonly balanced = new Map<string, () => string | null>();

  private readonly awaited = new Map<RegExp, (goOn: () => void) => void>();

  constructor(private readonly kernel: Kernel) {}

  /** Waits until somebody makes such a call, and holds it. @returns what lets it go on */
  held(call: RegExp): Promise<() => void> {
    return new Promise((resolve) => void this.awaited.set(call, resolve));
  }

  /** Serves a host, such as `10.0.0.1:3000`. */
  serve(host: string, server: Server, party: Party): void {
    const listeners = server.listeners('request') as ((...args: readonly unknown[]) => void)[];
    server.removeAllListeners('request');
    server.on('request', (...args) =>
      this.kernel.as(party, () => {
        for (const listener of listeners) listener(...args);
      }),
    );
    this.hosts.set(host, { server, party, open: new Set() });
  }

  /** Serves connections that are not HTTP, at a host such as `127.0.0.1:25`. */
  listen(host: string, listener: Listener): void {
    this.listeners.set(host, listener);
  }

  /** Breaks every connection to a host that is gone, and those that it had opened. */
  remove(host: string): void {
    const found = this.hosts.get(host);
    this.hosts.delete(host);
    for (const socket of found?.open ?? []) socket.destroy();
    for (const [socket, from] of this.ends) if (from === found?.party) socket.destroy();
  }

  /** Every call of this process goes over this network. */
  takeOver(): void {
    const module = require('node:http') as { request: typeof http.request };
    const realRequest = http.request;
    module.request = ((url: URL, options: RequestOptions, done: (answer: IncomingMessage) => void) =>
      realRequest(
        url,
        { ...options, agent: undefined, createConnection: () => this.connect(url.host) },
        done,
      )) as never;
    const net = require('node:net') as { connect: unknown };
    net.connect = ({ host, port }: { host: string; port: number }, connected: () => void) =>
      this.dial(`${host}:${port}`).once('connect', connected);
    syncBuiltinESMExports();
    const send = (call: Call, url: URL, init: RequestInit): Promise<Response> =>
      this.exchange(realRequest, call.host, url, init);
    globalThis.fetch = async (target, init = {}) => {
      const url = new URL(target instanceof Request ? target.url : target);
      const call: Call = {
        from: this.kernel.current,
        host: url.host,
        method: init.method ?? 'GET',
        path: url.pathname,
      };
      return aborted(init.signal, this.call(call, url, init, send));
    };
  }

  private async call(
    call: Call,
    url: URL,
    init: RequestInit,
    send: (call: Call, url: URL, init: RequestInit) => Promise<Response>,
  ): Promise<Response> {
    const { random } = this.kernel;
    const label = `${call.method} ${call.host}${call.path}`;
    for (const [awaited, hold] of this.awaited)
      if (awaited.test(label) && this.awaited.delete(awaited)) await new Promise<void>(hold);
    await this.kernel.pause(random.between(0.2, 20), `> ${label}`);
    const fault = this.faultOf(call);
    if (fault !== null) this.kernel.say(`fault: ${fault.kind} ${label}`);
    if (fault?.kind === 'refused') throw broken('ECONNREFUSED');
    if (fault?.kind === 'slow') await this.kernel.pause(fault.ms, `slow ${label}`);
    if (fault?.kind === 'answer' && !fault.isDone) return answerOf(fault);
    const response = await send(call, url, init);
    await this.kernel.pause(random.between(0.2, 20), `< ${response.status} ${label}`);
    if (fault?.kind === 'lost') throw broken('ECONNRESET');
    if (fault?.kind === 'answer') return answerOf(fault);
    if (fault?.kind !== 'truncated') return response;
    const text = await response.text();
    return new Response(text.slice(0, text.length / 2), { status: response.status, headers: response.headers });
  }

  private dial(host: string): FarSocket {
    const from = this.kernel.current;
    const listener = this.listeners.get(host);
    const socket = new FarSocket(this.kernel, from, this.kernel.random.between(0.2, 20));
    if (listener?.listens(from) !== true) return socket.open(null, this.kernel.world);
    const accept = (end: FarSocket): void => {
      this.ends.set(end, from);
      end.once('close', () => this.ends.delete(end));
      listener.accept(end, from);
    };
    return socket.open(accept, listener.party);
  }

  private connect(name: string): MemorySocket {
    const host = this.hosts.get(this.balanced.get(name)?.() ?? name);
    const [client, server] = connection(CLIENT_ADDRESS);
    if (host === undefined) {
      process.nextTick(() =>
        client.destroy(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })),
      );
      return client;
    }
    host.open.add(server);
    server.once('close', () => host.open.delete(server));
    this.kernel.as(host.party, () => host.server.emit('connection', server));
    return client;
  }

  /** One request on a connection of its own. */
  private exchange(request: typeof http.request, host: string, url: URL, init: RequestInit): Promise<Response> {
    return new Promise((resolve, reject) => {
      const headers = new Headers(init.headers);
      headers.set('connection', 'close');
      const { body } = init;
      let isAnswered = false;
      if (typeof body === 'string' && !headers.has('content-type'))
        headers.set('content-type', 'text/plain;charset=UTF-8');
      const sent = request(
        {
          method: init.method ?? 'GET',
          path: `${url.pathname}${url.search}`,
          headers: { host, ...Object.fromEntries(headers) },
          createConnection: () => this.connect(host),
        },
        (answer) => {
          isAnswered = true;
          void collect(answer).then(resolve, reject);
        },
      );
      sent.on('error', (error: Error & { code?: string }) => reject(broken(error.code ?? 'ECONNRESET')));
      sent.on('close', () => {
        if (!isAnswered) reject(broken('ECONNRESET'));
      });
      init.signal?.addEventListener('abort', () => sent.destroy(), { once: true });
      if (body === undefined || body === null) sent.end();
      else if (typeof body === 'string' || body instanceof Uint8Array) {
        sent.setHeader('content-length', Buffer.byteLength(body));
        sent.end(body);
      } else
        Readable.from(body as unknown as AsyncIterable<Buffer>)
          .on('error', (error) => sent.destroy(error))
          .pipe(sent);
    });
  }
}

async function collect(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2)
    headers.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '');
  const status = answer.statusCode ?? 0;
  const isEmpty = [101, 204, 205, 304].includes(status);
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers });
}

const answerOf = ({ status, body, headers }: CallFault & { readonly kind: 'answer' }): Response =>
  new Response([204, 304].includes(status) ? null : body, { status, headers });

/** Ends a wait when the caller gives up. */
function aborted<T>(signal: AbortSignal | null | undefined, work: Promise<T>): Promise<T> {
  if (signal === null || signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
