import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { Transactions } from '../common/database/index.js';
import { retryAt, Rounds, type RetryPlan } from '../common/jobs/index.js';
import { CannotUnseal } from '../common/sealing/index.js';
import { Outbox, type ClaimedMail, type MailContent, type MailVerdict } from './outbox.service.js';
import { readSmtpFailure, type SmtpFailure } from './smtp-failure.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Soon at first, since somebody may be waiting for a code; for three days in all. */
const RETRIES: RetryPlan = {
  delaysMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS],
  withinMs: 72 * HOUR_MS,
};

/** Mails handed over at once by this process. */
const CONCURRENCY = 4;
/** The longest that the mail server may stay silent, and that handing one mail over may take in all: well below its lease. */
const SILENCE_MS = 10_000;
const DEADLINE_MS = 20_000;

const SENT: MailVerdict = { state: 'sent', nextTryAt: null, status: null, error: null };

/** Hands mails to the mail server. Without `SMTP_URL` they stay sealed in the outbox, and wait. */
@Injectable()
export class Postman implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Postman.name);
  private readonly rounds: Rounds<ClaimedMail>;
  private readonly host: string;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    tx: Transactions,
    private readonly outbox: Outbox,
  ) {
    this.host = new URL(config.publicUrl).hostname;
    this.rounds = new Rounds(this.log, {
      everyMs: config.reconcileEverySeconds * 1000,
      concurrency: CONCURRENCY,
      prepare: () => outbox.clean(),
      claim: async () => (config.smtpUrl === undefined ? null : outbox.claim()),
      carryOut: (mail) => this.handOver(mail),
      dueInMs: async () => this.untilDue(),
    });
    outbox.added.add(async () => tx.afterCommit(() => this.rounds.soon()));
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  /** Hands over everything that is due. */
  async tick(): Promise<void> {
    await this.rounds.tick();
  }

  private async untilDue(): Promise<number | null> {
    const due = this.config.smtpUrl === undefined ? null : await this.outbox.nextDue();
    return due === null ? null : due.getTime() - this.clock.now().getTime();
  }

  private async handOver(mail: ClaimedMail): Promise<void> {
    const failure = await this.attempt(mail);
    const verdict = failure === null ? SENT : this.verdictOn(mail, failure);
    // Whoever took this one for dead has told of it.
    if (!(await this.outbox.settle(mail, verdict))) return;
    const { id: mailId, purpose, attempts } = mail;
    const { state, status, error } = verdict;
    if (failure === null) this.log.log({ msg: 'mail sent', mailId, purpose });
    else this.log.warn({ msg: 'mail not sent', mailId, purpose, attempts, state, status, error });
  }

  private verdictOn({ attempts, firstTriedAt: since }: ClaimedMail, failure: SmtpFailure): MailVerdict {
    const { status, error, isFinal } = failure;
    const planned = retryAt(RETRIES, { failures: attempts, since }, this.clock.now(), Math.random());
    const nextTryAt = isFinal ? null : planned;
    return { state: nextTryAt === null ? 'undelivered' : 'waiting', nextTryAt, status, error };
  }

  /** @returns null when the mail server took it */
  private async attempt(mail: ClaimedMail): Promise<SmtpFailure | null> {
    try {
      await this.send(mail.id, await this.outbox.open(mail));
      return null;
    } catch (error) {
      if (!(error instanceof CannotUnseal)) return readSmtpFailure(error);
      this.log.error({ msg: 'mail cannot be opened', mailId: mail.id, err: error });
      return { status: null, error: 'sealed', isFinal: false };
    }
  }

  private async send(id: string, { to, subject, text, html }: MailContent): Promise<void> {
    const transport = createTransport({
      url: this.config.smtpUrl,
      connectionTimeout: SILENCE_MS,
      greetingTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      dnsTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    await within(DEADLINE_MS, transport, {
      from: this.config.mailFrom,
      // Not as text, in which a comma would begin another recipient.
      to: { name: '', address: to },
      subject,
      text,
      html,
      // The same at each attempt, so that a mail that was taken twice can be told to be one.
      messageId: `<${id}@${this.host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  }
}

/** Sends within a time. A connection that is cut off then may have handed the mail over: it is sent again under the same Message-ID. */
async function within(ms: number, transport: Transporter, message: object): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), ms);
  });
  try {
    await Promise.race([transport.sendMail(message), late]);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}
