import { escaped } from '../common/http/pure.js';
import { truncate } from '../common/net/index.js';

/** A part of a mail's body: a paragraph, something to copy such as a code, or a link with its label. */
export type MailPart = string | { readonly copy: string } | { readonly link: string; readonly label: string };

/** A mail's subject and its body, as plain text and as HTML. */
export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** About what a mail program's list shows. */
const MAX_SUBJECT = 150;
const MAX_NAME = 50;
const FONT = 'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5';

/** Composes a mail from a few plain parts, the same in text and HTML. Markup in the parts is shown as text. Pure. */
export function composeMail(subject: string, parts: readonly MailPart[]): ComposedMail {
  const body = parts.map(asHtml).join('\n');
  return {
    subject: truncate(oneLine(subject), MAX_SUBJECT),
    text: `${parts.map(asText).join('\n\n')}\n`,
    html: `<!doctype html>\n<html><body style="${FONT}">\n${body}\n</body></html>\n`,
  };
}

/** A name that a tenant chose, made fit for a subject. Pure. */
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
  return 'copy' in part ? `    ${part.copy}` : `${part.label}:\n${part.link}`;
}

function asHtml(part: MailPart): string {
  if (typeof part === 'string') return `<p>${escaped(part).replaceAll('\n', '<br>')}</p>`;
  if ('copy' in part) return `<p style="font-family:monospace;font-size:20px">${escaped(part.copy)}</p>`;
  return `<p><a href="${escaped(part.link)}">${escaped(part.label)}</a></p>`;
}
