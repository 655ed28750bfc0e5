import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Config } from '../common/config/index.js';
import { Overloaded } from '../common/problems/index.js';

/** The memory that a chunk of a body uses in addition to its bytes: the sender chooses how small chunks are. */
const CHUNK_BYTES = 512;
/** The largest body fits into every share, also in small chunks. */
const SMALLEST_SHARE_BYTES = 2_000_000;

/** The sender and the receiver of a body. */
export interface BodyRoute {
  /** As rate limits count addresses. */
  readonly address: string;
  readonly tenantId: string;
}

/**
 * Limits the memory that the bodies of all notifications use together, from their first byte to the response. Each address and each tenant may
 * use a quarter of it, and an address at one tenant a sixteenth, so that a flood leaves room for other senders.
 */
@Injectable()
export class BodyMemory {
  private readonly used = new Map<string, number>();

  constructor(private readonly config: Config) {}

  /**
   * Counts a body while it is read.
   * @throws Overloaded as soon as a limit is exceeded; the rest of this body is dropped
   */
  async within<Body>(
    route: BodyRoute,
    request: IncomingMessage,
    response: ServerResponse,
    read: () => Promise<Body>,
  ): Promise<Body> {
    const limits = this.limitsFor(route);
    let refuse: (problem: Error) => void;
    const exceeded = new Promise<never>((_, reject) => (refuse = reject));
    let own = 0;
    const count = (bytes: number): void => {
      own += bytes;
      for (const [share] of limits) this.add(share, bytes);
    };
    request.on('data', ({ length }: Buffer) => {
      count(length + CHUNK_BYTES);
      if (limits.every(([share, most]) => (this.used.get(share) ?? 0) <= most)) return;
      request.removeAllListeners('data');
      refuse(new Overloaded());
    });
    onceReleased(request, response, () => count(-own));
    return Promise.race([read(), exceeded]);
  }

  /** Each share that a body counts against, and its limit in bytes. */
  private limitsFor({ address, tenantId }: BodyRoute): readonly (readonly [share: string, most: number])[] {
    const all = this.config.webhookHeldBytes;
    const part = (divisor: number): number => Math.max(all / divisor, SMALLEST_SHARE_BYTES);
    return [
      ['', all],
      [address, part(4)],
      [tenantId, part(4)],
      [`${address} ${tenantId}`, part(16)],
    ];
  }

  private add(share: string, bytes: number): void {
    const used = (this.used.get(share) ?? 0) + bytes;
    if (used === 0) this.used.delete(share);
    else this.used.set(share, used);
  }
}

/** Calls back once nothing of a body is in memory: after the response, and when the rest of the body has arrived or the connection has closed. */
function onceReleased(request: IncomingMessage, response: ServerResponse, call: () => void): void {
  const { socket } = request;
  response.once('close', () => {
    if (request.complete || socket.destroyed) return call();
    const released = (): void => {
      request.off('end', released);
      socket.off('close', released);
      call();
    };
    request.once('end', released);
    socket.once('close', released);
  });
}
