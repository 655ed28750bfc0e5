import { composeMail, nameInMail, type ComposedMail, type MailSender } from '../../platform/mail/index.js';

/** The facts of a mail with a code. */
interface CodeMail {
  readonly extensionName: string;
  readonly tier: string;
  readonly code: string;
  readonly maxActivations: number;
  /** In the purchase; each license has its own mail. */
  readonly licenseCount: number;
  /** URL of the page on which buyers manage their licenses. */
  readonly buyerPage: string;
  readonly sender: MailSender | undefined;
}

/** Writes the mail with a code. Pure. */
export function codeMail({
  extensionName,
  tier,
  code,
  maxActivations,
  licenseCount,
  buyerPage,
  sender,
}: CodeMail): ComposedMail {
  const name = nameInMail(extensionName);
  const devices = maxActivations === 1 ? 'one device' : `up to ${maxActivations} devices`;
  return composeMail(
    `Your license code for ${name}`,
    [
      `Here is your license code for ${name} (${tier}):`,
      { copy: code },
      `To activate your license, open ${name} in your browser, choose to enter a license code, and paste this code. It works on ${devices}.`,
      ...(licenseCount > 1
        ? [`You bought ${licenseCount} licenses. Each has its own code, which we send in a separate mail.`]
        : []),
      'Any earlier code for this license activates no device any more. Keep this mail: the code cannot be looked up again.',
      'To move to another device, or to replace a lost code, open this page:',
      { link: buyerPage, label: 'My licenses and devices' },
    ],
    sender,
  );
}
