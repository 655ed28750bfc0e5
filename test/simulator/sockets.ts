import { Duplex } from 'node:stream';
import type { Kernel, Party } from './kernel.js';

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
    this.reach(this.peer, (peer) => peer.receive(chunk));
    process.nextTick(done);
  }

  override _final(done: () => void): void {
    this.reach(this.peer, (peer) => peer.receive(null));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { peer } = this;
    this.peer = null;
    process.nextTick(() => this.reach(peer, () => peer?.reset()));
    done(error);
  }

  /** Has something happen at the other end. */
  protected reach(peer: MemorySocket | null, happen: (peer: MemorySocket) => void): void {
    if (peer !== null) happen(peer);
  }

  protected receive(chunk: Buffer | null): void {
    if (!this.destroyed) this.push(chunk);
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

  setTimeout(_ms: number): this {
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

/** One end of a connection between two parties, to which everything takes a time, and which tells how long nothing has come. */
export class FarSocket extends MemorySocket {
  private idleMs = 0;
  private stopWaiting = (): void => undefined;

  constructor(
    private readonly kernel: Kernel,
    readonly party: Party,
    private readonly latencyMs: number,
  ) {
    super(party.name);
  }

  /** Opens, or fails where nobody listens. */
  open(accept: ((server: FarSocket) => void) | null, by: Party): this {
    const server = new FarSocket(this.kernel, by, this.latencyMs);
    if (accept !== null) [this.peer, server.peer] = [server, this];
    this.later(() => {
      if (this.destroyed) return;
      if (accept === null) {
        this.destroy(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
        return;
      }
      this.emit('connect');
      this.kernel.as(by, () => accept(server));
    });
    return this;
  }

  override setTimeout(ms: number): this {
    this.idleMs = ms;
    this.wait();
    return this;
  }

  protected override reach(peer: MemorySocket | null, happen: (peer: MemorySocket) => void): void {
    if (peer instanceof FarSocket) peer.later(() => happen(peer));
  }

  protected override receive(chunk: Buffer | null): void {
    this.wait();
    super.receive(chunk);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.stopWaiting();
    super._destroy(error, done);
  }

  /** In the context of who has this end, and never once they are dead. */
  private later(happen: () => void): void {
    this.kernel.later(this.latencyMs, '', happen, this.party);
  }

  private wait(): void {
    this.stopWaiting();
    if (this.idleMs > 0 && !this.destroyed)
      this.stopWaiting = this.kernel.later(this.idleMs, '', () => this.emit('timeout'), this.party);
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
