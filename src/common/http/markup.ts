import { createHash } from 'node:crypto';
import { escaped } from './escape.js';

const STYLE = `
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin:0}
input,button{font:inherit;padding:.6rem .8rem;min-height:2.75rem;box-sizing:border-box}
input{width:100%;margin:.25rem 0 1rem}
button{cursor:pointer}
.license{border:1px solid;border-radius:.5rem;padding:1rem;margin:1rem 0}
ul{list-style:none;padding:0}
li{display:flex;justify-content:space-between;align-items:center;gap:1rem;padding:.5rem 0}
.code{font:1.3rem ui-monospace,monospace;padding:1rem;border:2px solid;border-radius:.5rem}
`;

/** What a browser is allowed to do with these pages: show them, and send their forms home. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** HTML, as opposed to text that somebody wrote. */
export class Html {
  constructor(readonly text: string) {}
}

type Piece = Html | string | number | readonly Html[];

/** Puts pieces into HTML; whatever is not HTML itself is shown as text. */
export function markup(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(parts.map((part, at) => part + (at < pieces.length ? written(pieces[at] ?? '') : '')).join(''));
}

function written(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  return typeof piece === 'object' ? piece.map(written).join('') : escaped(String(piece));
}

export const NOTHING = markup``;

/** A page for people. */
export function page(title: string, body: Html): string {
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>${new Html(STYLE)}</style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `.text;
}
