import { createHash } from 'node:crypto';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, between tags and in quoted attributes. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const STYLE = `
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin:0}
input,button{font:inherit;padding:.6rem .8rem;min-height:2.75rem;box-sizing:border-box}
input{width:100%;margin:.25rem 0 1rem}
button{cursor:pointer}
.license{border:1px solid;border-radius:.5rem;padding:1rem;margin:1rem 0}
ul{list-style:none;padding:0}
dt{font-weight:600}dd{margin:0 0 .5rem}
li{display:flex;justify-content:space-between;align-items:center;gap:1rem;padding:.5rem 0}
.code{font:1.3rem ui-monospace,monospace;padding:1rem;border:2px solid;border-radius:.5rem}
`;

/** Lets browsers show these pages and send their forms to this service, and nothing else. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Text that is HTML already, and is not escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Piece = Html | string | number | readonly Html[];

/** Makes HTML of a template; pieces that are not HTML are escaped. */
export function markup(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(parts.map((part, at) => part + (at < pieces.length ? written(pieces[at] ?? '') : '')).join(''));
}

function written(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  return typeof piece === 'object' ? piece.map(written).join('') : escaped(String(piece));
}

/** Empty HTML. */
export const NOTHING = markup``;

/** Makes a whole page. */
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
