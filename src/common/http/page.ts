import { createHash } from 'node:crypto';
import { Html, markup, EMPTY_HTML } from './html.js';
import { STYLE } from './page-style.js';

/** The source of exactly this style sheet or script. */
const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Lets browsers use these style sheets and send forms to this service, and nothing else. */
const policyOf = (styles: readonly string[], ...more: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src ${styles.map(sourceOf).join(' ')}`,
    ...more,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** The policy of pages that have nothing but text. */
export const CONTENT_SECURITY_POLICY = policyOf([STYLE]);

/** Content of a page besides its title and text. */
export interface PageLook {
  /** Above the title, such as a name and a logo. */
  readonly header?: Html;
  /** Below the text. */
  readonly footer?: Html;
  /** Address of a picture of this service for previews of the page; pages with pictures have one. */
  readonly icon?: string;
  /** Style rules of this page alone; `lookPolicy` allows them. */
  readonly style?: string;
  /** A script of this page alone, at its end; `lookPolicy` allows it. */
  readonly script?: string;
}

/** The policy of a page that has a style, a script or pictures of its own. */
export const lookPolicy = ({ style = '', script, icon }: PageLook): string =>
  policyOf(
    style === '' ? [STYLE] : [STYLE, style],
    ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`]),
    ...(icon === undefined ? [] : ["img-src 'self'"]),
  );

/** Makes a whole page. */
export function page(title: string, body: Html, { header, footer, style = '', script, icon }: PageLook = {}): string {
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <style>${new Html(STYLE)}</style>
        ${icon === undefined ? EMPTY_HTML : markup`<link rel="icon" href="${icon}" />`}
        ${style === '' ? EMPTY_HTML : markup`<style>${new Html(style)}</style>`}
      </head>
      <body>
        ${header === undefined ? EMPTY_HTML : markup`<header>${header}</header>`}
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
        ${footer === undefined ? EMPTY_HTML : markup`<footer>${footer}</footer>`}
        ${script === undefined ? EMPTY_HTML : markup`<script>${new Html(script)}</script>`}
      </body>
    </html> `.text;
}
