import { Duplex } from 'node:stream';

/** One end of a connection in memory, with what Node's HTTP and the database driver ask of a socket. */
export class MemorySocket extends Duplex {
  peer: MemorySocket | null = null;
  readonly remoteAddress: string;
  readonly remoteFamily = 'IPv4';
  readonly remotePort = 40_000;
  readonly encrypted = false;
  readonly connecting = false;

  constructor(remoteAddress: string) {
    super({ allowHalfOpen: true });
    this.remoteAddress = remoteAddress;
  }

  override _read(): void {
    // What the peer writes is pushed when it is written.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const { peer } = this;
    if (peer !== null && !peer.destroyed) peer.push(chunk);
    process.nextTick(done);
  }

  override _final(done: () => void): void {
    if (this.peer !== null && !this.peer.destroyed) this.peer.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { peer } = this;
    this.peer = null;
    if (peer !== null) process.nextTick(() => peer.reset());
    done(error);
  }

  /** The other end is gone: what is under way ends as when a connection breaks. */
  private reset(): void {
    if (this.destroyed) return;
    if (this.readableEnded || this.readableAborted) this.destroy();
    else this.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  address(): { readonly address: string; readonly family: string; readonly port: number } {
    return { address: '127.0.0.1', family: 'IPv4', port: 1 };
  }
}

/** Two ends of one connection. @param address who the first end's peer takes it for */
export function connection(address: string): readonly [MemorySocket, MemorySocket] {
  const client = new MemorySocket('127.0.0.1');
  const server = new MemorySocket(address);
  client.peer = server;
  server.peer = client;
  return [client, server];
}
