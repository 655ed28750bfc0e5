import { cutText } from '../common/net/index.js';
import { composeMail, type ComposedMail } from '../mail/index.js';

const NAME_MAX = 80;

/** What a mail with a code says. */
interface CodeMail {
  readonly extensionName: string;
  readonly tier: string;
  readonly code: string;
  readonly maxActivations: number;
  /** Where the buyer looks after his licenses. */
  readonly buyerPage: string;
}

/** The mail that brings a code to its buyer. Pure. */
export function codeMail({ extensionName, tier, code, maxActivations, buyerPage }: CodeMail): ComposedMail {
  const name = cutText(extensionName, NAME_MAX);
  const devices = maxActivations === 1 ? 'one device' : `up to ${maxActivations} devices`;
  return composeMail(`Your license code for ${name}`, [
    `This is your license code for ${name}, ${tier}:`,
    { copy: code },
    `To activate it, open ${name} in your browser, choose to enter a license code, and paste this one. It works on ${devices}.`,
    'Codes that you were sent for this license before are no longer good. Keep this mail: nobody can look the code up again.',
    'When you change to another device, or have lost the code, help yourself here:',
    { link: buyerPage, label: 'My licenses and devices' },
  ]);
}
