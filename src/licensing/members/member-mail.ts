import { besides, codeParts } from '../codes/index.js';
import { composeMail, nameInMail, type ComposedMail, type MailSender } from '../../platform/mail/index.js';

/** The facts of a mail with a member's code. */
interface MemberMail {
  readonly extensionName: string;
  readonly tier: string;
  readonly code: string;
  /** Address of the page that activates the extension with the code; null when it is to be pasted. */
  readonly activation: string | null;
  readonly buyerEmail: string | null;
  /** Maximum number of the member's devices; null when all share those of the license. */
  readonly seatsPerMember: number | null;
  /** URL of the page on which members manage their devices. */
  readonly buyerPage: string;
  readonly sender: MailSender | undefined;
}

/** Writes the mail with a member's code, which is the invitation. Pure. */
export function memberMail({
  extensionName,
  tier,
  code,
  activation,
  buyerEmail,
  seatsPerMember,
  buyerPage,
  sender,
}: MemberMail): ComposedMail {
  const name = nameInMail(extensionName);
  const limit =
    seatsPerMember === null
      ? ''
      : `It works on ${seatsPerMember === 1 ? 'one device' : `up to ${seatsPerMember} devices`}.`;
  return composeMail(
    `Your code for ${name}`,
    [
      `${buyerEmail ?? 'Somebody'} shares a license of ${name} (${tier}) with you. This is your own code:`,
      ...codeParts({ name, code, activation, limit }),
      'Any earlier code that we sent you for it activates no device any more. To free a device, to replace a lost code, or to leave, open this page:',
      besides(activation, buyerPage, 'Manage my devices'),
      'If you do not want it, ignore this mail.',
    ],
    `because the team of a license for ${name} has this address`,
    sender,
  );
}
