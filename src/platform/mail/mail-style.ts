import { colourOf } from '../../common/http/index.js';

/** Colours, as `#rrggbb`, of links, of the button and of its text. */
interface Tone {
  readonly accent: string;
  readonly onAccent: string;
}

/** Those colours in either colour scheme. */
export interface Tones {
  readonly light: Tone;
  readonly dark: Tone;
}

const toneOf = (scheme: 'light' | 'dark'): Tone => ({
  accent: colourOf(scheme, 'accent'),
  onAccent: colourOf(scheme, 'on-accent'),
});

/** The service's own. */
export const DEFAULT_TONES: Tones = { light: toneOf('light'), dark: toneOf('dark') };

/** Hides the preview from the page; several ways, because each program knows other ones. */
export const HIDDEN = 'display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;opacity:0';

const light = (token: string): string => colourOf('light', token);
const dark = (token: string): string => `${colourOf('dark', token)}!important`;

/** Styles of the elements, which programs that drop style sheets show too. */
export const INLINE = {
  page: `margin:0;padding:0;background:${light('bg-sunken')};color:${light('text')};font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;-webkit-text-size-adjust:100%`,
  column: 'max-width:560px;text-align:left',
  card: `padding:24px 20px 8px;border:1px solid ${light('line')};border-radius:8px;background:${light('bg-raised')};color:${light('text')};overflow-wrap:anywhere;word-break:break-word`,
  footer: `padding:16px 20px;color:${light('text-2')};font-size:13px;line-height:1.5;overflow-wrap:anywhere;word-break:break-word`,
  text: 'margin:0 0 16px',
  copy: `margin:0 0 16px;padding:12px 16px;border:1px solid ${light('line-field')};border-radius:6px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:18px`,
  steps: 'margin:0 0 16px;padding:0 0 0 24px',
  step: 'margin:0 0 8px',
  button:
    'display:inline-block;padding:12px 20px;border-radius:6px;text-decoration:none;font-weight:600;text-align:center',
} as const;

/** The dark scheme, and what has no inline style. */
export const STYLE = `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){.page{background:${dark('bg-sunken')};color:${dark('text')}}.card{border-color:${dark('line')};background:${dark('bg-raised')};color:${dark('text')}}.footer{color:${dark('text-2')}}.copy{border-color:${dark('line-field')}}}`;

/** The rules for the accent in the dark scheme. */
export const toneRules = ({ dark: { accent, onAccent } }: Tones): string =>
  `@media (prefers-color-scheme:dark){.link{color:${accent}!important}.button{background:${accent}!important;color:${onAccent}!important}}`;
