import { Agent, request, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from '../support/api.js';
import type { World } from '../support/app.js';
import { Contract } from '../support/contract.js';
import type { Pusher } from './pusher.js';

/** A push whose bytes the test sends piece by piece, on a connection of its own that is kept alive. */
export class SlowPush {
  private readonly invitation: Promise<void>;
  private readonly socket: Promise<Socket>;
  private readonly response: Promise<IncomingMessage>;
  private readonly closed: Promise<void>;

  private constructor(
    private readonly world: World,
    private readonly pusher: Pusher,
    private readonly call: ClientRequest,
    private readonly agent: Agent,
  ) {
    this.invitation = new Promise((resolve) => {
      call.once('continue', resolve);
    });
    this.socket = new Promise((resolve) => {
      call.once('socket', resolve);
    });
    this.closed = this.socket.then(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.once('close', () => resolve());
        }),
    );
    this.response = new Promise((resolve, reject) => {
      call.once('response', resolve);
      call.on('error', reject);
    });
    this.response.catch(() => undefined);
  }

  /** @param headers with a `content-length` the size is announced; without one the body is chunked */
  static begin(
    world: World,
    pusher: Pusher,
    version: string,
    headers: OutgoingHttpHeaders = {},
    agent = new Agent({ keepAlive: true, maxSockets: 1 }),
  ): SlowPush {
    const query = new URLSearchParams({ extension: pusher.extension, version }).toString();
    const call = request(`${world.url}/api/v1/artifacts?${query}`, {
      method: 'POST',
      agent,
      headers: { authorization: `Bearer ${pusher.mine.token}`, 'content-type': 'application/zip', ...headers },
    });
    call.flushHeaders();
    return new SlowPush(world, pusher, call, agent);
  }

  /** Resolves when the service has said "100 Continue". */
  invited(): Promise<void> {
    return this.invitation;
  }

  /** Resolves when the bytes have left this side. */
  async send(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.call.write(bytes, (error) => (error == null ? resolve() : reject(error)));
    });
  }

  /** Sends the rest. */
  end(bytes?: Uint8Array): void {
    this.call.end(bytes);
  }

  /** The next push of the same client, which waits for the connection. */
  next(version: string): SlowPush {
    return SlowPush.begin(this.world, this.pusher, version, {}, this.agent);
  }

  connection(): Promise<Socket> {
    return this.socket;
  }

  /** The answer, held against `openapi.json`, whether or not everything has been sent. */
  async answer(): Promise<Answer> {
    const response = await this.response;
    const body = await text(response);
    const headers = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    const path = '/api/v1/artifacts';
    const answer = { status: response.statusCode ?? 0, headers, text: body, path, body: JSON.parse(body) };
    Contract.of(this.world.document).check('POST', path, answer);
    return answer;
  }

  /** Goes away, in the middle of it or after it. */
  async disconnect(): Promise<void> {
    (await this.socket).destroy();
    await this.closed;
  }

  /** Resolves when the service has ended the connection. */
  wasCut(): Promise<void> {
    return this.closed;
  }
}
