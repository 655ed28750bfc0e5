import type { Transporter } from 'nodemailer';
import { SECOND_MS } from '../../common/system/index.js';

/** Time for which the mail server may stay silent. */
const SILENCE_MS = 10 * SECOND_MS;

/** Makes a connection to the mail server, which is opened when it is first used. */
export async function smtpTransport(url: string | undefined): Promise<Transporter> {
  // Many services send no mail.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
