import { dayInWords } from '../../common/system/index.js';
import { besides, codeParts } from '../codes/index.js';
import { composeMail, nameInMail, type ComposedMail, type MailSender } from '../../platform/mail/index.js';

/** The facts of a mail about a license. */
interface LicenseMail {
  readonly extensionName: string;
  readonly tier: string;
  readonly maxActivations: number;
  /** URL of the page on which buyers manage their licenses. */
  readonly buyerPage: string;
  readonly sender: MailSender | undefined;
}

/** An order at a processor. */
export interface MailedOrder {
  readonly number: string;
  /** Null where it is not known. */
  readonly at: Date | null;
}

/** The facts of a mail with a code. */
interface CodeMail extends LicenseMail {
  readonly code: string;
  /** Address of the page that activates the extension with the code; null when it is to be pasted. */
  readonly activation: string | null;
  /** Null for a license that nobody bought. */
  readonly order: MailedOrder | null;
  /** In the purchase; each license has its own mail. */
  readonly licenseCount: number;
}

/** The facts of a mail about a license that keeps its code. */
interface SameCodeMail extends LicenseMail {
  /** The last five symbols. */
  readonly codeHint: string;
  /** The license was upgraded; otherwise it had ended, and works again. */
  readonly isUpgrade: boolean;
  /** The purchase that did it. */
  readonly order: MailedOrder;
}

/** Writes the mail with a code. Pure. */
export function codeMail({
  extensionName,
  tier,
  code,
  activation,
  order,
  maxActivations,
  licenseCount,
  buyerPage,
  sender,
}: CodeMail): ComposedMail {
  const name = nameInMail(extensionName);
  return composeMail(
    `Your license code for ${name}`,
    [
      `Here is your license code for ${name} (${tier}):`,
      ...codeParts({ name, code, activation, limit: `It works on ${devicesIn(maxActivations)}.` }),
      ...orderLines(order),
      ...(licenseCount > 1
        ? [`You bought ${licenseCount} licenses. Each has its own code, which we send in a separate mail.`]
        : []),
      'Any earlier code for this license activates no device any more. Keep this mail: the code cannot be looked up again.',
      'To move to another device, or to replace a lost code, open this page:',
      besides(activation, buyerPage, 'Manage my license'),
    ],
    `because this address has a license for ${name}`,
    sender,
  );
}

/** Writes the mail about a license that a purchase continues or upgrades: its buyer has the code. Pure. */
export function sameCodeMail({
  extensionName,
  tier,
  codeHint,
  isUpgrade,
  order,
  maxActivations,
  buyerPage,
  sender,
}: SameCodeMail): ComposedMail {
  const name = nameInMail(extensionName);
  const what = isUpgrade ? `was upgraded to ${tier}` : `(${tier}) works again`;
  return composeMail(
    isUpgrade ? `Your license for ${name} was upgraded` : `Your license for ${name} works again`,
    [
      `Thank you for your purchase. Your license for ${name} ${what}.`,
      `It is the license that you had: your code, which ends in ${codeHint}, works on ${devicesIn(maxActivations)}, and your devices go on without it.`,
      ...orderLines(order),
      'If you no longer have the code, open this page to get another one:',
      { button: buyerPage, label: 'Manage my license' },
    ],
    `because you bought a license for ${name}`,
    sender,
  );
}

const orderLines = (order: MailedOrder | null): readonly string[] =>
  order === null ? [] : [`Order: ${order.number}${order.at === null ? '' : `\nDate: ${dayInWords(order.at)}`}`];

const devicesIn = (maxActivations: number): string =>
  maxActivations === 1 ? 'one device' : `up to ${maxActivations} devices`;
