import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Config } from '../common/config/index.js';
import { Overloaded } from '../common/problems/index.js';

/** What a chunk of a body takes in memory beside its bytes: the sender chooses how small chunks are. */
const CHUNK_BYTES = 512;

/** Limits the memory that the bodies of all notifications hold together, from their first byte to the response. */
@Injectable()
export class BodyMemory {
  private held = 0;

  constructor(private readonly config: Config) {}

  /**
   * Counts a body while it is read.
   * @throws Overloaded as soon as all bodies together exceed the limit; the rest of this one is dropped
   */
  async within<Body>(request: IncomingMessage, response: ServerResponse, read: () => Promise<Body>): Promise<Body> {
    let refuse: (problem: Error) => void;
    const exceeded = new Promise<never>((_, reject) => (refuse = reject));
    let own = 0;
    request.on('data', ({ length }: Buffer) => {
      own += length + CHUNK_BYTES;
      this.held += length + CHUNK_BYTES;
      if (this.held <= this.config.webhookHeldBytes) return;
      request.removeAllListeners('data');
      refuse(new Overloaded());
    });
    whenOver(request, response, () => (this.held -= own));
    return Promise.race([read(), exceeded]);
  }
}

/** Calls back once nothing of a body is in memory: after the response, and when the rest of the body has arrived or the connection has closed. */
function whenOver(request: IncomingMessage, response: ServerResponse, call: () => void): void {
  const { socket } = request;
  response.once('close', () => {
    if (request.complete || socket.destroyed) return call();
    const over = (): void => {
      request.off('end', over);
      socket.off('close', over);
      call();
    };
    request.once('end', over);
    socket.once('close', over);
  });
}
