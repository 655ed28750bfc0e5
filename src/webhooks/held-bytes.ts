import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../common/config/index.js';
import { Overloaded } from '../common/problems/index.js';

/** What a piece of a body takes in memory beside its bytes: a sender chooses how small his pieces are. */
const PIECE_BYTES = 512;

/** How much memory the bodies of notifications hold together, from their first byte until they are answered. */
@Injectable()
export class HeldBytes {
  private held = 0;

  constructor(private readonly config: Config) {}

  /**
   * Counts a body while it is read.
   * @throws Overloaded as soon as it would exceed what all may hold; from then on its bytes are dropped
   */
  async within<Body>(request: Request, response: Response, read: () => Promise<Body>): Promise<Body> {
    let refuse: (problem: Error) => void;
    const exceeded = new Promise<never>((_, reject) => (refuse = reject));
    let own = 0;
    request.on('data', ({ length }: Buffer) => {
      own += length + PIECE_BYTES;
      this.held += length + PIECE_BYTES;
      if (this.held <= this.config.webhookHeldBytes) return;
      request.removeAllListeners('data');
      refuse(new Overloaded());
    });
    whenOver(request, response, () => (this.held -= own));
    return Promise.race([read(), exceeded]);
  }
}

/** Calls back once nothing of a body is kept: after the answer, and when the rest of the body has come or can come no more. */
function whenOver(request: Request, response: Response, call: () => void): void {
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
