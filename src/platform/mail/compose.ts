import { escaped } from '../../common/http/pure.js';
import { truncate } from '../../common/net/pure.js';

/** A part of a mail's body: a paragraph, something to copy such as a code, or a link with its label. */
export type MailPart =
  | string
  | { readonly copy: string }
  | {
      readonly link: string;
      readonly label: string;
      /** Text to show instead of the link, such as an address. */
      readonly shows?: string;
    };

/** A mail's subject and its body, as plain text and as HTML. */
export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The sender as the recipient knows it; null for what is unknown. */
export interface MailSender {
  readonly name: string | null;
  /** Address for questions. */
  readonly support: { readonly href: string; readonly label: string } | null;
  /** Colours of links, as `#rrggbb`. */
  readonly tone: { readonly accent: string; readonly onAccent: string } | null;
}

/** About as much as a mail program shows in its list. */
const MAX_SUBJECT = 150;
const MAX_NAME = 50;
const BUTTON = 'display:inline-block;padding:10px 16px;border-radius:6px;text-decoration:none;font-weight:500';
const FONT = 'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5';

/** Composes a mail from a few plain parts, the same in text and HTML. Markup in the parts is shown as text; nothing is loaded from elsewhere. Pure. */
export function composeMail(subject: string, parts: readonly MailPart[], sender?: MailSender): ComposedMail {
  const signed = sender === undefined ? parts : [...parts, ...signatureOf(sender)];
  const body = signed.map((part) => asHtml(part, sender?.tone ?? null)).join('\n');
  return {
    subject: truncate(oneLine(subject), MAX_SUBJECT),
    text: `${signed.map(asText).join('\n\n')}\n`,
    html: `<!doctype html>\n<html><body style="${FONT}">\n${body}\n</body></html>\n`,
  };
}

/** Returns a name that a tenant chose in a form that is safe in a subject: one line of at most 50 characters. Pure. */
export const nameInMail = (name: string): string => truncate(oneLine(name), MAX_NAME);

/**
 * Removes line breaks, which would begin another header, and marks that change the direction of text, which could hide part of it. The two
 * zero-width joiners stay: some scripts need them.
 */
const oneLine = (text: string): string =>
  text
    .replaceAll(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();

function asText(part: MailPart): string {
  if (typeof part === 'string') return part;
  return 'copy' in part ? `    ${part.copy}` : `${part.label}:\n${part.shows ?? part.link}`;
}

/** The name of the sender, and where questions go. */
function signatureOf({ name, support }: MailSender): readonly MailPart[] {
  if (support !== null)
    return [
      { link: support.href, label: name === null ? 'Questions?' : `Questions? Ask ${name}`, shows: support.label },
    ];
  return name === null ? [] : [name];
}

function asHtml(part: MailPart, tone: MailSender['tone']): string {
  if (typeof part === 'string') return `<p>${escaped(part).replaceAll('\n', '<br>')}</p>`;
  if ('copy' in part) return `<p style="font-family:monospace;font-size:20px">${escaped(part.copy)}</p>`;
  const { link, label, shows } = part;
  if (shows !== undefined) return `<p>${escaped(label)}: <a href="${escaped(link)}">${escaped(shows)}</a></p>`;
  const look = tone === null ? '' : ` style="${BUTTON};background:${tone.accent};color:${tone.onAccent}"`;
  return `<p><a href="${escaped(link)}"${look}>${escaped(label)}</a></p>`;
}
