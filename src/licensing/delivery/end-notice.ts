import { dayInWords } from '../../common/system/index.js';
import { composeMail, nameInMail, type ComposedMail, type MailSender } from '../../platform/mail/index.js';
import type { OnEnd } from '../plans/pure.js';

/** The facts of a mail about the end of a license. */
interface EndNotice {
  readonly extensionName: string;
  readonly tier: string;
  readonly codeHint: string;
  readonly expiresAt: Date;
  readonly onEnd: OnEnd;
  /** The seller's own words; null for none. */
  readonly words: string | null;
  /** URL of the page on which buyers manage their licenses. */
  readonly buyerPage: string;
  readonly sender: MailSender | undefined;
}

/** Writes the mail that a license expires soon. Pure. */
export function endNotice({
  extensionName,
  tier,
  codeHint,
  expiresAt,
  onEnd,
  words,
  buyerPage,
  sender,
}: EndNotice): ComposedMail {
  const name = nameInMail(extensionName);
  const day = dayInWords(expiresAt);
  const about = `Your license for ${name} (${tier}), whose code ends with ${codeHint},`;
  const [subject, what] =
    onEnd === 'maintain'
      ? [
          `Updates of ${name} end on ${day}`,
          `${about} includes updates until ${day}. It goes on after that for versions that were released before.`,
        ]
      : [`Your license for ${name} expires on ${day}`, `${about} expires on ${day}.`];
  return composeMail(
    subject,
    [
      what,
      ...(words === null ? [] : [words]),
      'This page shows your licenses and devices:',
      { button: buyerPage, label: 'Manage my license' },
    ],
    onEnd === 'maintain'
      ? `because updates of ${name} are about to end`
      : `because your license for ${name} is about to expire`,
    sender,
  );
}
