import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy to a service that can be cut, as if the server were down. Its address is known before that of the service. */
export class Line {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private port = 0;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Line> {
    const server = createServer();
    const line = new Line(server);
    server.on('connection', (socket) => line.join(socket));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Leads to the service at an address from now on. */
  leadTo(url: string): void {
    this.port = Number(new URL(url).port);
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((closed) => this.server.close(closed));
  }

  private join(socket: Socket): void {
    if (this.isCut) return void socket.destroy();
    const other = connect(this.port, '127.0.0.1');
    for (const [one, end] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => end.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        end.destroy();
      });
      one.pipe(end);
    }
  }
}
