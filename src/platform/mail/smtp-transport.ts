import type { Transporter } from 'nodemailer';
import { SECOND_MS } from '../../common/system/index.js';

/** Time for which the mail server may stay silent. */
const SILENCE_MS = 10 * SECOND_MS;

/** Makes a connection to the mail server, which is opened when it is first used, and stays open from one mail to the next. */
export async function smtpTransport(url: string | undefined): Promise<Transporter> {
  // Many services send no mail.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    pool: true,
    maxConnections: 1,
    // Whether the mail server has taken a mail is not known then, so that its attempt ends.
    maxRequeues: 0,
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
