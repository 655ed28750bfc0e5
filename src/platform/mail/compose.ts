import { escaped } from '../../common/http/pure.js';
import { truncate } from '../../common/net/pure.js';
import { buttonOf, HIDDEN, INLINE, styleOf } from './mail-style.js';

/** A part of a mail's body. */
export type MailPart =
  /** A paragraph. */
  | string
  /** Something to copy, such as a code. */
  | { readonly copy: string }
  /** What to do, one step after the other. */
  | { readonly steps: readonly string[] }
  /** The one thing to press; a mail has at most one. */
  | { readonly button: string; readonly label: string }
  | {
      readonly link: string;
      readonly label: string;
      /** Text to show instead of the link, such as an address. */
      readonly shows?: string;
    };

/** A mail's subject, its body as plain text and as HTML, and whom it comes from. */
export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Name of the sender, beside the service's address; the service's own when absent. */
  readonly fromName?: string;
  /** Address for answers; that of the service when absent. */
  readonly replyTo?: string;
}

/** The sender as the recipient knows it; null for what is unknown. */
export interface MailSender {
  readonly name: string | null;
  /** Address for questions. */
  readonly support: { readonly href: string; readonly label: string } | null;
  /** Colour of the button, as `#rrggbb`. */
  readonly accent: string | null;
}

/** About as much as a mail program shows in its list. */
const MAX_SUBJECT = 150;
const MAX_NAME = 50;
const MAX_PREVIEW = 120;
/** Fills the preview that mail lists and lock screens show, so that a code does not follow in it. */
const FILLING = '&#847;&zwnj;&nbsp;'.repeat(100);

/**
 * Composes a mail from a few plain parts, the same in text and HTML. Markup in the parts is shown as text; nothing is loaded from elsewhere. A
 * paragraph is one line of the text, which the reader's program wraps to the width of its window. Pure.
 * @param why ends the sentence that the sender sends this mail, such as `because you bought Night Owl`
 */
export function composeMail(
  subject: string,
  parts: readonly MailPart[],
  why: string,
  sender: MailSender = { name: null, support: null, accent: null },
): ComposedMail {
  const name = sender.name === null ? null : nameInMail(sender.name);
  const { support } = sender;
  const line = truncate(oneLine(subject), MAX_SUBJECT);
  const footer: readonly MailPart[] = [
    `${name === null ? 'Pierhead sends' : `${name} sends`} this mail ${why}.`,
    ...(support === null
      ? []
      : [{ link: support.href, label: name === null ? 'Questions?' : `Questions? Ask ${name}`, shows: support.label }]),
  ];
  return {
    subject: line,
    text: `${parts.map(asText).join('\n\n')}\n\n-- \n${footer.map(asText).join('\n')}\n`,
    html: pageOf(line, parts, footer, sender.accent),
    ...(name === null ? {} : { fromName: name }),
    ...(support?.href.startsWith('mailto:') === true ? { replyTo: support.label } : {}),
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
  if ('copy' in part) return `    ${part.copy}`;
  if ('steps' in part) return part.steps.map((step, at) => `${at + 1}. ${step}`).join('\n');
  if ('button' in part) return `${part.label}:\n${part.button}`;
  return `${part.label}:\n${part.shows ?? part.link}`;
}

/** Tables, because some mail programs lay out nothing else; the rules that they ignore only add the dark colours. */
function pageOf(
  subject: string,
  parts: readonly MailPart[],
  footer: readonly MailPart[],
  accent: string | null,
): string {
  const preview = parts.find((part) => typeof part === 'string') ?? subject;
  const rows = (some: readonly MailPart[]): string => some.map((part) => asHtml(part, accent)).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title><style>${styleOf(accent)}</style></head>
<body class="page" style="${INLINE.page}"><div aria-hidden="true" style="${HIDDEN}">${escaped(truncate(oneLine(preview), MAX_PREVIEW))}${FILLING}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:16px 8px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${INLINE.column}">
<tr><td class="card" style="${INLINE.card}">
${rows(parts)}
</td></tr><tr><td class="footer" style="${INLINE.footer}">
${rows(footer)}
</td></tr></table></td></tr></table></body></html>
`;
}

function asHtml(part: MailPart, accent: string | null): string {
  if (typeof part === 'string') return `<p style="${INLINE.text}">${escaped(part).replaceAll('\n', '<br>')}</p>`;
  if ('copy' in part) return `<p class="copy" style="${INLINE.copy}">${escaped(part.copy)}</p>`;
  if ('steps' in part) {
    const steps = part.steps.map((step) => `<li style="${INLINE.step}">${escaped(step)}</li>`).join('');
    return `<ol style="${INLINE.steps}">${steps}</ol>`;
  }
  if ('button' in part)
    return `<p style="${INLINE.text}"><a class="button" href="${escaped(part.button)}" style="${buttonOf(accent)}">${escaped(part.label)}</a></p>`;
  const { link, label, shows } = part;
  const anchor = `<a class="link" href="${escaped(link)}" style="${INLINE.link}">${escaped(shows ?? label)}</a>`;
  return `<p style="${INLINE.text}">${shows === undefined ? '' : `${escaped(label)}: `}${anchor}</p>`;
}
