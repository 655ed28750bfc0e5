import { headerOf, partOf, SmtpServer, type Whim } from '../support/smtp-server.js';
import type { Kernel, Party } from './kernel.js';
import type { Network } from './network.js';

/** What happens to a mail that is being handed over. */
export type MailFault =
  /** The connection ends: before the server has heard the command, or once it has carried it out. */
  | { readonly kind: 'lost' | 'unheard' }
  | { readonly kind: 'refused'; readonly reply: string }
  /** The server answers after so long. */
  | { readonly kind: 'silent'; readonly ms: number };

/** A mail that was taken. */
export interface Letter {
  /** The same however often it was handed over. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const HOST = '127.0.0.1:2525';
/** Addresses that begin so are mistyped, and do not exist. */
export const MISTYPED = 'mistyped.';

/** The mail server of the simulated world. */
export class Post {
  readonly env = { SMTP_URL: `smtp://${HOST}`, MAIL_FROM: 'Pierhead <pierhead@service.example>' };
  private readonly server = new SmtpServer();
  /** @param moment `connect`, a command, or `DATA.` for the end of a mail's data */
  faultOf: (from: Party, moment: string) => MailFault | null = () => null;

  constructor(
    private readonly kernel: Kernel,
    network: Network,
  ) {
    network.listen(HOST, {
      party: kernel.party('mail server'),
      listens: (from) => this.faultOf(from, 'connect') === null,
      accept: (socket, from) => this.server.serve(socket, (command, to) => this.whim(from, command, to)),
    });
  }

  /** Hands out what was taken since the last time. */
  collect(): readonly Letter[] {
    return this.server.taken.splice(0).map((mail) => ({
      id: /<([^@]*)@/.exec(headerOf(mail, 'Message-ID'))?.[1] ?? '',
      to: mail.to.join(),
      subject: headerOf(mail, 'Subject'),
      text: partOf(mail, 'text/plain'),
    }));
  }

  private async whim(from: Party, command: string, to: readonly string[]): Promise<Whim | null> {
    if (/^RCPT/i.test(command) && command.includes(`<${MISTYPED}`)) return { reply: '550 5.1.1 no such mailbox' };
    const moment = /^[A-Z]+\.?/i.exec(command)?.[0] ?? '';
    if (moment === 'DATA.') this.kernel.say(`a mail for ${to.join()} comes from ${from.name}`);
    const fault = this.faultOf(from, moment);
    if (fault === null) return null;
    if (fault.kind === 'refused') return { reply: fault.reply };
    if (fault.kind !== 'silent') return { ends: fault.kind === 'lost' ? 'before' : 'after' };
    await this.kernel.pause(fault.ms, 'the mail server is silent');
    return null;
  }
}
