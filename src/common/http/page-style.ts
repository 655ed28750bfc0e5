import { readFileSync } from 'node:fs';

/** The design tokens, which the console is built with too. */
const TOKENS = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

/** The dark tokens, which the console's reader chooses; pages without scripts follow the system. */
const DARK = /\[data-scheme='dark'\] (\{[^}]*\})/;

/** The rules for a colour of one's own. */
const BRANDED = /@supports[^]*?\n\}\n/;

const compact = (css: string): string => css.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/\s+/g, ' ');

/** Reads a colour of a scheme from the tokens. @throws Error when there is no such token */
export function colourOf(scheme: 'light' | 'dark', token: string): string {
  const rules = scheme === 'light' ? TOKENS.replace(DARK, '') : (DARK.exec(TOKENS)?.[1] ?? '');
  const value = new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(rules)?.[1];
  if (value === undefined) throw new Error(`tokens.css has no ${scheme} colour --${token}`);
  return value;
}

/** Rules that give the elements of a selector an accent of this colour, as it can be read in either scheme. */
export const branded = (selector: string, colour: string): string =>
  `${selector}{--brand:${colour}}${compact(BRANDED.exec(TOKENS)?.[0] ?? '').replace('.branded', selector)}`;

const OWN = `
*,::before,::after{box-sizing:border-box}
:root{color-scheme:light dark}
html{background:var(--bg-sunken);color:var(--text);font:16px/24px var(--font);font-variant-numeric:tabular-nums;-webkit-text-size-adjust:100%}
body{margin:0;overflow-wrap:anywhere}
header,main,footer{max-width:608px;margin:0 auto;padding:0 16px}
header{padding-top:24px}
main{padding-top:32px;padding-bottom:32px}
footer{padding-bottom:48px;color:var(--text-2);font-size:14px;line-height:20px}
h1{font-size:28px;line-height:36px;font-weight:650;letter-spacing:-.01em;margin:0 0 16px}
h2{font-size:20px;line-height:28px;font-weight:600;margin:0}
h3{font-size:14px;line-height:20px;font-weight:600;margin:0}
p{margin:0 0 16px}
a{color:var(--accent);text-underline-offset:2px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
small,.second{color:var(--text-2);font-size:14px;line-height:20px}
code{font-family:var(--mono);font-size:.93em}
label{display:block;font-size:14px;line-height:20px;font-weight:500}
input,button{font:inherit;min-height:44px;padding:9px 16px;border:1px solid var(--line-field);border-radius:var(--radius);background:var(--bg-raised);color:inherit}
input{width:100%;margin:4px 0 16px;padding-inline:12px}
button{border-color:transparent;background:var(--accent);color:var(--on-accent);font-weight:500;cursor:pointer}
button:hover{background:var(--accent-hover)}
button.plain{border-color:var(--line-field);background:var(--bg-raised);color:var(--text)}
button.plain:hover{background:var(--bg-hover)}
.code{font:20px/28px var(--mono);padding:16px;border:1px solid var(--line-field);border-radius:var(--radius);background:var(--bg)}
[role=alert]{padding:12px 16px;border-radius:var(--radius);background:var(--rejected-weak);color:var(--rejected)}
section{margin:16px 0;padding:20px;border:1px solid var(--line);border-radius:var(--radius);background:var(--bg-raised)}
section>*{margin:0}section>*+*{margin-top:16px}section>h2+p{margin-top:4px}section>h3+ul{margin-top:8px}
.row{display:flex;justify-content:space-between;align-items:center;gap:16px}
.row>*{min-width:0}.row>form{flex:none}
li.row{padding:12px 0;border-top:1px solid var(--line)}
.active{color:var(--live)}.suspended{color:var(--needs-you)}.expired{color:var(--off)}.revoked{color:var(--rejected)}
summary{min-height:44px;padding:10px 0;border-radius:var(--radius);cursor:pointer}
summary~*{margin-top:8px}
.links{display:flex;flex-wrap:wrap;gap:8px 24px}
.brand{display:flex;flex-wrap:wrap;align-items:center;gap:8px 12px;margin:0;font-weight:600;text-align:left}
.brand img{flex:none;max-width:160px;height:40px;object-fit:contain}
.seller{margin-top:32px}.seller>.brand{margin-bottom:16px}
ul{list-style:none;margin:0;padding:0}
dt{font-weight:600}
dd{margin:0 0 8px}
@media (width<720px){h1{font-size:22px;line-height:28px}main{padding-top:24px}}
`;

/** The style sheet of every page: the tokens, and what is made of them. */
export const STYLE = compact(
  TOKENS.replace(BRANDED, '').replace(DARK, '@media (prefers-color-scheme:dark){:root$1}') + OWN,
);
