import { composeMail, nameInMail, type ComposedMail, type MailSender } from '../../platform/mail/index.js';

/** The facts of a mail with a link. */
interface TrialMail {
  readonly extensionName: string;
  readonly days: number;
  readonly url: string;
  readonly sender: MailSender | undefined;
}

/** Writes the mail with the link that starts a trial. Every address gets the same. Pure. */
export function trialMail({ extensionName, days, url, sender }: TrialMail): ComposedMail {
  const name = nameInMail(extensionName);
  return composeMail(
    `Start your trial of ${name}`,
    [
      `Open this link within a day to use ${name} for ${days === 1 ? 'one day' : `${days} days`} without a license code.`,
      { button: url, label: 'Start my trial' },
      'If you did not ask for a trial, ignore this mail: nothing starts without the link.',
    ],
    `because a trial of ${name} was requested for this address`,
    sender,
  );
}
