import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What a hostile receiver does with a webhook. */
type Habit = (socket: Socket) => void;

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: anything\r\n\r\n';

/** Receivers of webhooks that answer in no way that HTTP foresees. */
export const HABITS = {
  'switches protocols': (socket) => void socket.write(SWITCHING),
  'closes the connection without an answer': (socket) => void socket.end(),
  'resets the connection': (socket) => void socket.resetAndDestroy(),
  'answers in another protocol': (socket) => void socket.end('220 smtp.example ESMTP\r\n'),
} as const satisfies Readonly<Record<string, Habit>>;

/** It accepts a webhook and never answers. */
const SILENT: Habit = () => undefined;

/** A tenant's server on this machine that speaks TCP and little HTTP. */
export class HostileReceiver {
  private readonly open = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(habit: keyof typeof HABITS | 'silent'): Promise<HostileReceiver> {
    const server = createServer();
    const receiver = new HostileReceiver(server);
    server.on('connection', (socket) => {
      receiver.open.add(socket);
      socket.on('error', () => undefined).once('data', () => (habit === 'silent' ? SILENT : HABITS[habit])(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  /** How many webhooks it holds without an answer. */
  get held(): number {
    return this.open.size;
  }

  /** Another URL of it each time. */
  url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${randomUUID()}`;
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
