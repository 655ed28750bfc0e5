import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { Transporter } from 'nodemailer';
import { Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { Transactions } from '../../common/database/index.js';
import { withWorkContext } from '../../common/access/index.js';
import { nextAttemptAt, PollingWorker, type RetryPlan } from '../../common/jobs/index.js';
import { CannotUnseal } from '../../common/sealing/index.js';
import { MailRepository, type DueMail, type MailAttempt, type MailResult } from './mail.repository.js';
import { OutboxService, type MailContent, type MailOutcome } from './outbox.service.js';
import { readSmtpFailure, type SmtpFailure } from './smtp-failure.js';
import { smtpTransport } from './smtp-transport.js';

/** Short delays at first, because a buyer may be waiting for a code; three days in all. */
const RETRIES: RetryPlan = {
  delaysMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS],
  withinMs: 72 * HOUR_MS,
};

/**
 * Mails that this process hands over simultaneously while so many are due: forty a second to a mail server that takes 0.4 s for one. Below the
 * connections that mail servers allow one client, such as the 50 of Postfix (smtpd_client_connection_count_limit).
 */
const CONCURRENCY = 16;
/** Time limit for handing one mail over: well below the mail's work lock. */
const DEADLINE_MS = 20 * SECOND_MS;
/**
 * Mails follow each other on one connection for this long, and then share one transaction that records them. Those of a process that is killed
 * before are handed over again.
 */
const TOGETHER_MS = SECOND_MS;

const SENT: MailResult = { state: 'sent', nextTryAt: null, status: null, error: null };

/** Hands mails over to the mail server. Without `SMTP_URL` they wait in the outbox, sealed. */
@Injectable()
export class MailDeliveryWorker extends PollingWorker<readonly DueMail[]> implements OnModuleInit {
  private readonly host: string;

  constructor(
    registry: SchedulerRegistry,
    clock: Clock,
    private readonly tx: Transactions,
    private readonly config: Config,
    private readonly mails: MailRepository,
    private readonly outbox: OutboxService,
  ) {
    super(registry, clock, config, { name: 'mail-delivery', concurrency: CONCURRENCY, locks: mails.locks });
    this.host = new URL(config.publicUrl).hostname;
  }

  onModuleInit(): void {
    this.outbox.added.add(async () => this.tx.afterCommit(() => this.wake()));
  }

  protected override prepare(): Promise<void> {
    return this.outbox.clean();
  }

  protected async take(): Promise<readonly DueMail[] | null> {
    const mails = this.config.smtpUrl === undefined ? [] : await this.mails.take(this.clock.now(), CONCURRENCY);
    return mails.length === 0 ? null : mails;
  }

  protected override async nextDue(): Promise<Date | null> {
    return this.config.smtpUrl === undefined ? null : super.nextDue();
  }

  /** Hands mails over on one connection until that fails or they take long; the others become free for the next worker. */
  protected async process(mails: readonly DueMail[]): Promise<void> {
    const until = performance.now() + TOGETHER_MS;
    const attempts: MailAttempt[] = [];
    const transport = await smtpTransport(this.config.smtpUrl);
    try {
      for (const mail of mails) {
        // It may have been withdrawn while the others were handed over.
        if (attempts.length > 0 && !(await this.mails.isHeld(mail))) continue;
        const triedAt = this.clock.now();
        const failure = await this.attempt(transport, mail);
        const isConnectionUsedUp = failure?.isOfConnection === true;
        // A mail server may take only so many mails on one connection; the next is then handed over on another one.
        if (isConnectionUsedUp && attempts.length > 0) break;
        attempts.push({ mail, triedAt, ...(failure === null ? SENT : this.resultOf(mail, triedAt, failure)) });
        if (this.isStopping || isConnectionUsedUp || performance.now() > until) break;
      }
    } finally {
      transport.close({ force: true });
    }
    const rest = mails.filter((mail) => !attempts.some((one) => one.mail === mail));
    const outcomes = await this.outbox.recordResults(attempts, rest);
    // When a work lock was lost, the worker that has it now logs the outcome.
    for (const outcome of outcomes)
      this.logOutcome(outcome, mails.find(({ id }) => id === outcome.mailId)?.tenantId ?? null);
  }

  private logOutcome({ mailId, purpose, attempts, state, status, error }: MailOutcome, tenantId: string | null): void {
    withWorkContext(tenantId === null ? {} : { tenantId }, () => {
      if (state === 'sent') this.log.log({ msg: 'mail sent', mailId, purpose });
      else this.log.warn({ msg: 'mail not sent', mailId, purpose, attempts, state, status, error });
    });
  }

  private resultOf({ attempts, firstTriedAt }: DueMail, triedAt: Date, failure: SmtpFailure): MailResult {
    const { status, error, isFinal } = failure;
    const before = { failures: attempts + 1, since: firstTriedAt ?? triedAt };
    const planned = nextAttemptAt(RETRIES, before, this.clock.now(), Math.random());
    const nextTryAt = isFinal ? null : planned;
    return { state: nextTryAt === null ? 'undelivered' : 'waiting', nextTryAt, status, error };
  }

  /** @returns null when the mail server took the mail */
  private async attempt(transport: Transporter, mail: DueMail): Promise<SmtpFailure | null> {
    try {
      await this.send(transport, mail.id, await this.outbox.open(mail));
      return null;
    } catch (error) {
      if (!(error instanceof CannotUnseal)) return readSmtpFailure(error);
      this.log.error({ msg: 'mail cannot be opened', mailId: mail.id, err: error });
      return { status: null, error: 'sealed', isFinal: false, isOfConnection: false };
    }
  }

  private async send(transport: Transporter, id: string, mail: MailContent): Promise<void> {
    const { to, subject, text, html, fromName, replyTo, unsubscribe } = mail;
    const { mailFrom = '' } = this.config;
    await within(DEADLINE_MS, transport, {
      from: fromName === undefined ? mailFrom : { name: fromName, address: addressIn(mailFrom) },
      ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
      // An object, because a comma in a plain text would begin another recipient.
      to: { name: '', address: to },
      subject,
      text,
      html,
      // The same at each attempt, so that receivers can recognize a mail that was handed over twice.
      messageId: `<${id}@${this.host}>`,
      headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribe === undefined ? {} : oneClick(unsubscribe)) },
    });
  }
}

/** The headers for a mail program's own button (RFC 2369 and RFC 8058). */
const oneClick = (url: string): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The address of a mailbox such as `Pierhead <pierhead@example.com>`. */
const addressIn = (mailbox: string): string => /<([^<>]+)>$/.exec(mailbox)?.[1] ?? mailbox;

/** Sends a message, or fails after a time. The mail server may have taken it even so: the next attempt repeats its Message-ID. */
async function within(ms: number, transport: Transporter, message: object): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), ms);
  });
  try {
    await Promise.race([transport.sendMail(message), late]);
  } finally {
    clearTimeout(timer);
  }
}
