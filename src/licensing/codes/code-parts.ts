import type { MailPart } from '../../platform/mail/index.js';

/** A code in a mail, and where the mail leads. */
interface MailedCode {
  /** The extension's, as mails show it. */
  readonly name: string;
  readonly code: string;
  /** Address of the page that activates the extension with the code; null when it is to be pasted. */
  readonly activation: string | null;
  /** How many devices it works on, as a sentence; empty for none. */
  readonly limit: string;
}

/** Writes the parts of a mail with a code: how it activates the extension. Pure. */
export function codeParts({ name, code, activation, limit }: MailedCode): readonly MailPart[] {
  const said = limit === '' ? '' : ` ${limit}`;
  return activation === null
    ? [
        { copy: code },
        {
          steps: [`Open ${name} in your browser and choose to enter a license code.`, `Paste this code.${said}`],
        },
      ]
    : [
        { copy: code },
        `This button activates ${name} in the browser that opens it.`,
        { button: activation, label: `Activate ${name}` },
        `If nothing happens there, open ${name}, choose to enter a license code, and paste this one.${said}`,
      ];
}

/** Writes where a mail with a code leads besides: a mail has one button. Pure. */
export const besides = (activation: string | null, address: string, label: string): MailPart =>
  activation === null ? { button: address, label } : { link: address, label };
