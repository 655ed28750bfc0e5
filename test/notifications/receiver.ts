import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A webhook that came. */
export interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, string | null>>;
  };
}

interface ReceiverScript {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  times: number;
}

/** A tenant's server on this machine: keeps what comes to each path, and answers it as a test wishes. */
export class Receiver {
  private readonly received = new Map<string, Received[]>();
  private readonly wishes = new Map<string, ReceiverScript>();
  private readonly awaited = new Map<string, () => void>();
  private readonly held = new Map<string, { readonly reach: () => void; readonly opened: Promise<void> }>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      void (async () => {
        const path = request.url ?? '';
        const raw = await text(request);
        receiver.at(path).push({
          id: String(request.headers['webhook-id']),
          headers: request.headers,
          raw,
          body: JSON.parse(raw) as Received['body'],
        });
        receiver.awaited.get(path)?.();
        const held = receiver.held.get(path);
        receiver.held.delete(path);
        held?.reach();
        await held?.opened;
        const wish = receiver.wishes.get(path);
        const isWished = wish !== undefined && wish.times > 0;
        if (isWished) wish.times -= 1;
        response.writeHead(isWished ? wish.status : 204, isWished ? wish.headers : {});
        response.end(isWished ? 'MARKED words of the receiver' : undefined);
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** What came to a path, oldest first. */
  at(path: string): Received[] {
    const known = this.received.get(path) ?? [];
    this.received.set(path, known);
    return known;
  }

  /** When the next webhook has come to a path. */
  next(path: string): Promise<void> {
    return new Promise((resolve) => this.awaited.set(path, resolve));
  }

  answer(path: string, status: number, headers: Readonly<Record<string, string>> = {}, times = Infinity): void {
    this.wishes.set(path, { status, headers, times });
  }

  /** Leaves the next webhook to a path without an answer until that is opened. */
  hold(path: string): { readonly reached: Promise<void>; open(): void } {
    let open = (): void => undefined;
    let reach = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const reached = new Promise<void>((resolve) => (reach = resolve));
    this.held.set(path, { reach, opened });
    return { reached, open };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Whether a webhook was signed under a secret at the time it says, as the reference implementation signs. */
export function isSignedUnder({ id, headers, raw }: Received, secret: string): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  return String(headers['webhook-signature'])
    .split(' ')
    .includes(new Webhook(secret).sign(id, at, raw));
}
