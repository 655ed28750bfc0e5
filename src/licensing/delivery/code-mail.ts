import { composeMail, nameInMail, type ComposedMail } from '../../mail/index.js';

/** What a mail with a code says. */
interface CodeMail {
  readonly extensionName: string;
  readonly tier: string;
  readonly code: string;
  readonly maxActivations: number;
  /** How many licenses were bought with it, itself included: each has a mail of its own. */
  readonly together: number;
  /** Where the buyer looks after his licenses. */
  readonly buyerPage: string;
}

/** The mail that brings a code to its buyer. Pure. */
export function codeMail({ extensionName, tier, code, maxActivations, together, buyerPage }: CodeMail): ComposedMail {
  const name = nameInMail(extensionName);
  const devices = maxActivations === 1 ? 'one device' : `up to ${maxActivations} devices`;
  return composeMail(`Your license code for ${name}`, [
    `This is your license code for ${name}, ${tier}:`,
    { copy: code },
    `To activate it, open ${name} in your browser, choose to enter a license code, and paste this one. It works on ${devices}.`,
    ...(together > 1
      ? [`You bought ${together} licenses together. Each has its own code, which comes in its own mail.`]
      : []),
    'Codes that you were sent for this license before are no longer good. Keep this mail: nobody can look the code up again.',
    'When you change to another device, or have lost the code, help yourself here:',
    { link: buyerPage, label: 'My licenses and devices' },
  ]);
}
