import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** A call that waits at the gate. */
export interface HeldCall {
  /** When the call has come to where it is held. */
  readonly reached: Promise<void>;
  /** When the store has acted on it. */
  readonly acted: Promise<void>;
  /** Whether its caller still waits for the answer: nobody has given it up, and its process lives. */
  isAwaited(): boolean;
  /** Lets it go on. */
  open(): void;
}

interface Signal {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** A request that comes by. */
export type Passing = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

interface Hold {
  readonly isMeant: (request: Passing) => boolean;
  readonly side: 'before' | 'after';
  readonly reach: () => void;
  readonly act: () => void;
  readonly opened: Promise<void>;
  /** Whose answer is waited for, once it has come by. */
  answer: ServerResponse | null;
  /** Calls that pass before the one that is meant. */
  skip: number;
}

/** Stands before the sandbox and holds single calls until the test lets them go on, so that a test can come in between without waiting. */
export class CallGate {
  private readonly holds: Hold[] = [];
  private behind = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<CallGate> {
    const server = createServer();
    const gate = new CallGate(server);
    server.on('request', (req: IncomingMessage, res: ServerResponse) => {
      gate.pass(req, res).catch(() => res.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return gate;
  }

  /** The configuration that sends Pierhead through here. */
  get env(): Readonly<Record<string, string>> {
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return {
      CHROME_API_URL: url,
      CHROME_TOKEN_URL: `${url}/token`,
      AMO_API_URL: `${url}/api/v5/`,
      EDGE_API_URL: url,
      ASC_API_URL: url,
      APP_STORE_LOOKUP_URL: `${url}/lookup`,
    };
  }

  leadTo(url: string): void {
    this.behind = url;
  }

  /**
   * Holds a call.
   * @param call how its path ends, or what tells it from others
   * @param side before the store hears of it, or after the store has acted and before its answer is heard
   * @param nth 1 for the next such call
   */
  hold(call: string | Hold['isMeant'], side: Hold['side'] = 'before', nth = 1): HeldCall {
    const reached = signal();
    const acted = signal();
    const opened = signal();
    const { resolve: reach } = reached;
    const isMeant = typeof call === 'string' ? ({ url = '' }: Passing): boolean => url.endsWith(call) : call;
    const held: Hold = {
      isMeant,
      side,
      reach,
      act: acted.resolve,
      opened: opened.promise,
      answer: null,
      skip: nth - 1,
    };
    this.holds.push(held);
    return {
      reached: reached.promise,
      acted: acted.promise,
      isAwaited: () => held.answer?.closed === false,
      open: opened.resolve,
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** A call goes on even when its caller has died meanwhile, as it does on a real network. */
  private async pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const hold = this.take(req);
    if (hold !== undefined) hold.answer = res;
    const body = await buffer(req);
    if (hold?.side === 'before') await comeTo(hold);
    const { 'transfer-encoding': _chunked, ...headers } = req.headers;
    const onward = request(`${this.behind}${req.url ?? ''}`, {
      method: req.method,
      headers: { ...headers, 'content-length': body.length },
    });
    onward.end(body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    hold?.act();
    if (hold?.side === 'after') await comeTo(hold);
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, res);
  }

  private take(request: Passing): Hold | undefined {
    const index = this.holds.findIndex(({ isMeant }) => isMeant(request));
    const hold = this.holds[index];
    if (hold === undefined) return undefined;
    if (hold.skip > 0) {
      hold.skip -= 1;
      return undefined;
    }
    this.holds.splice(index, 1);
    return hold;
  }
}

async function comeTo({ reach, opened }: Hold): Promise<void> {
  reach();
  await opened;
}

function signal(): Signal {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
