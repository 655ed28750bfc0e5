import { colourOf } from '../../common/http/index.js';

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
  link: `color:${light('accent')}`,
  button:
    'display:inline-block;padding:12px 20px;border-radius:6px;text-decoration:none;font-weight:600;text-align:center',
} as const;

const inDark = (rules: string): string => `@media (prefers-color-scheme:dark){${rules}}`;

/** The dark scheme, and what has no inline style. */
const STYLE = `:root{color-scheme:light dark}${inDark(`.page{background:${dark('bg-sunken')};color:${dark('text')}}.card{border-color:${dark('line')};background:${dark('bg-raised')};color:${dark('text')}}.footer{color:${dark('text-2')}}.copy{border-color:${dark('line-field')}}.link{color:${dark('accent')}}`)}`;

/** The button in the service's own colour. */
const OWN_BUTTON = `background:${light('accent')};color:${light('on-accent')}`;
const OWN_BUTTON_IN_DARK = inDark(`.button{background:${dark('accent')};color:${dark('on-accent')}}`);

/** The style sheet of a mail. @param colour of the sender, which both schemes show alike; null for that of the service */
export const styleOf = (colour: string | null): string => (colour === null ? STYLE + OWN_BUTTON_IN_DARK : STYLE);

/** The inline style of a button. @param colour as above */
export const buttonOf = (colour: string | null): string =>
  `${INLINE.button};${colour === null ? OWN_BUTTON : `background:${colour};color:${textOn(colour)}`}`;

/** The luminance on which black and white are as easy to read (WCAG 2.2). */
const BETWEEN = 0.179;

/** Black or white, whichever is easier to read on a colour: a contrast of at least 4.5:1. Mail programs calculate no colours. Pure. */
export function textOn(colour: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > BETWEEN ? '#000000' : '#ffffff';
}
