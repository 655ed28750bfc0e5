/** Text on a colour, and a colour as text, must differ from what is behind them by this ratio (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5;

/** An accent as a page shows it, each colour as `#rrggbb`. */
export interface AccentTone {
  /** Of links and buttons: readable on every background of its scheme. */
  readonly accent: string;
  /** Of text on the accent: readable. */
  readonly onAccent: string;
}

/** An accent in both colour schemes. */
export interface AccentTones {
  readonly light: AccentTone;
  readonly dark: AccentTone;
}

type Colour = readonly [red: number, green: number, blue: number];

const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];
const STEPS = 100;

/**
 * Fits a tenant's colour into both colour schemes: as it is where that is readable, and otherwise as much darker (light scheme) or lighter
 * (dark scheme) as it must be. Black or white text is always readable on the result. Pure.
 * @param colour as `#rrggbb`
 * @param backgrounds of each scheme, as `#rrggbb`: light ones, and dark ones
 */
export function accentTones(
  colour: string,
  backgrounds: Readonly<Record<'light' | 'dark', readonly string[]>>,
): AccentTones {
  return {
    light: toneOf(colour, BLACK, backgrounds.light),
    dark: toneOf(colour, WHITE, backgrounds.dark),
  };
}

/** Returns the contrast ratio of two colours of the form `#rrggbb`, from 1 to 21. Pure. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function toneOf(colour: string, towards: Colour, backgrounds: readonly string[]): AccentTone {
  for (let step = 0; step <= STEPS; step += 1) {
    const accent = mixed(channelsOf(colour), towards, step / STEPS);
    if (backgrounds.every((background) => contrastOf(accent, background) >= MIN_CONTRAST))
      return { accent, onAccent: readableOn(accent) };
  }
  throw new Error(`No shade of ${colour} is readable on ${backgrounds.join(', ')}`);
}

/** White where it is readable; otherwise black is: one of them always is. */
const readableOn = (accent: string): string =>
  contrastOf(accent, textOf(WHITE)) >= MIN_CONTRAST ? textOf(WHITE) : textOf(BLACK);

const mixed = (from: Colour, to: Colour, share: number): string =>
  textOf([0, 1, 2].map((at) => Math.round((from[at] ?? 0) * (1 - share) + (to[at] ?? 0) * share)));

const textOf = (channels: readonly number[]): string =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

const channelsOf = (colour: string): Colour => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as never;

/** The relative luminance of sRGB. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
