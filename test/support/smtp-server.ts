import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A mail that the server took. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, as sent. */
  readonly source: string;
}

/** A mail that was taken, and whose sender has not been told so yet. */
export interface HeldMail {
  readonly taken: Promise<void>;
  /** Tells the sender. */
  open(): void;
}

interface Refusal {
  readonly command: string;
  readonly reply: string;
  times: number;
}

/** What a mail server may do at a command: answer otherwise and not carry it out, or end the connection before or after it has. */
export type Whim = { readonly reply: string } | { readonly ends: 'before' | 'after' };

/** Asked at each command, which it may also keep waiting. @param to whom the mail is for; the end of its data is `DATA.` */
export type Whims = (command: string, to: readonly string[]) => Promise<Whim | null>;

/** A mail server on this machine that speaks as much SMTP (RFC 5321) as a client needs, and refuses what a test wants refused. */
export class SmtpServer {
  readonly taken: TakenMail[] = [];
  private readonly sockets = new Set<Duplex>();
  private refusals: Refusal[] = [];
  private readonly awaited = new Map<string, () => void>();
  private gathered: { missing: number; readonly open: () => void; readonly opened: Promise<void> } | null = null;
  private limit: { readonly mails: number; readonly reply: string } | null = null;
  private held: { readonly reach: () => void; readonly opened: Promise<void> } | null = null;

  private readonly server = createServer((socket) => this.serve(socket));

  static async start(): Promise<SmtpServer> {
    const smtp = new SmtpServer();
    smtp.server.listen(0, '127.0.0.1');
    await once(smtp.server, 'listening');
    return smtp;
  }

  /** The configuration that sends mail here. */
  get env(): Readonly<Record<string, string>> {
    const { port } = this.server.address() as AddressInfo;
    return { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Pierhead <pierhead@service.example>' };
  }

  /** Refuses the next commands that begin so; `DATA.` is the end of a mail's data. */
  refuse(command: string, reply: string, times = Infinity): void {
    this.refusals.push({ command, reply, times });
  }

  /** Takes only so many mails on one connection. */
  limitConnections(mails: number, reply: string): void {
    this.limit = { mails, reply };
  }

  obey(): void {
    this.refusals = [];
    this.limit = null;
  }

  /** The mails that went to an address, oldest first. */
  to(address: string): readonly TakenMail[] {
    return this.taken.filter(({ to }) => to.includes(address));
  }

  /** When the next mail to an address has come. */
  next(address: string): Promise<void> {
    return new Promise((resolve) => this.awaited.set(address, resolve));
  }

  /** Takes the next mail, and leaves its sender without an answer until that is opened. */
  hold(): HeldMail {
    let open = (): void => undefined;
    let reach = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const taken = new Promise<void>((resolve) => (reach = resolve));
    this.held = { reach, opened };
    return { taken, open };
  }

  /** Leaves senders without an answer until so many of them wait for one. */
  gather(count: number): void {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    this.gathered = { missing: count, open, opened };
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Serves one connection. */
  serve(socket: Duplex, whims?: Whims): void {
    this.sockets.add(socket);
    let pending = '';
    let begun = 0;
    let mail = { from: '', to: [] as string[], data: null as string[] | null };
    const reply = (text: string): void => void socket.write(`${text}\r\n`);
    const answer = async (
      command: string,
      success: string,
      act = (): void => undefined,
      to = mail.to,
    ): Promise<void> => {
      const whim = (await whims?.(command, to)) ?? null;
      if (whim !== null && 'reply' in whim) return reply(whim.reply);
      if (whim !== null) {
        if (whim.ends === 'after') act();
        socket.destroy();
        return;
      }
      const refusal = this.refusals.find((one) => one.times > 0 && command.toUpperCase().startsWith(one.command));
      if (refusal === undefined) act();
      else refusal.times -= 1;
      reply(refusal?.reply ?? success);
    };
    const finish = async (): Promise<void> => {
      const { from, to, data } = mail;
      mail = { from: '', to: [], data: null };
      const { held } = this;
      this.held = null;
      const take = (): void => {
        this.taken.push({ from, to, source: (data ?? []).join('\r\n') });
        for (const address of to) this.awaited.get(address)?.();
      };
      const { gathered } = this;
      if (gathered !== null) {
        gathered.missing -= 1;
        if (gathered.missing === 0) {
          this.gathered = null;
          gathered.open();
        }
        await gathered.opened;
      }
      if (held === null) return answer('DATA.', '250 2.0.0 taken', take, to);
      take();
      held.reach();
      await held.opened;
      reply('250 2.0.0 taken');
    };
    const read = (line: string): void => {
      if (mail.data !== null) {
        if (line === '.') void finish();
        else mail.data.push(line.replace(/^\./, ''));
        return;
      }
      const [, address = ''] = /<([^>]*)>/.exec(line) ?? [];
      if (/^(EHLO|HELO)/i.test(line)) void answer(line, '250 smtp.example');
      else if (/^MAIL FROM/i.test(line) && this.limit !== null && (begun += 1) > this.limit.mails)
        reply(this.limit.reply);
      else if (/^MAIL FROM/i.test(line)) void answer(line, '250 2.1.0 fine', () => (mail.from = address));
      else if (/^RCPT TO/i.test(line)) void answer(line, '250 2.1.5 fine', () => mail.to.push(address));
      else if (/^DATA/i.test(line)) void answer(line, '354 go on', () => (mail.data = []));
      else if (/^QUIT/i.test(line)) socket.end('221 2.0.0 bye\r\n');
      else if (/^(RSET|NOOP)/i.test(line)) reply('250 2.0.0 fine');
      else reply('502 5.5.1 unknown');
    };
    socket.setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('data', (chunk: string) => {
      const lines = (pending + chunk).split('\r\n');
      pending = lines.pop() ?? '';
      for (const line of lines) read(line);
    });
    reply('220 smtp.example ready');
  }
}

/** A header of a mail, unfolded. */
export function headerOf({ source }: TakenMail, name: string): string {
  const [head = ''] = source.split('\r\n\r\n');
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ');
  return new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1] ?? '';
}

/** A header with its encoded words (RFC 2047) decoded. */
export const wordsIn = (header: string): string =>
  header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString() : unquoted(text.replaceAll('_', ' ')),
    );

const unquoted = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

/** The part of a mail that is of a type, decoded. */
export function partOf({ source }: TakenMail, type: string): string {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(source) ?? [];
  const part = source.split(`--${boundary}`).find((each) => each.toLowerCase().includes(`content-type: ${type}`)) ?? '';
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n').replace(/\r\n$/, '');
  const bytes = /quoted-printable/i.test(head)
    ? Buffer.from(
        body
          .replaceAll('=\r\n', '')
          .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
        'latin1',
      )
    : /base64/i.test(head)
      ? Buffer.from(body, 'base64')
      : Buffer.from(body, 'latin1');
  return bytes.toString('utf8').replaceAll('\r\n', '\n');
}
