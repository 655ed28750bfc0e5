import type { Terminal } from '../terminal/terminal.js';
import { bytes } from '../terminal/words.js';

/** Above this, a log gets a line for each quarter. */
const LARGE_BYTES = 5_000_000;
const REDRAWN_EVERY_MS = 100;

/** Receives the bytes done so far, and the bytes in all. */
export type OnProgress = (done: number, all: number) => void;

/** Does work, and shows how far it is. @param doing such as `Sending the package` */
export async function withProgress<Result>(
  terminal: Pick<Terminal, 'lines'>,
  doing: string,
  work: (onProgress: OnProgress) => Promise<Result>,
): Promise<Result> {
  const lines = terminal.lines();
  let [shownAt, shownQuarter] = [0, -1];
  const show: OnProgress = (done, all) => {
    const quarter = Math.floor((4 * done) / all);
    const isNews = Date.now() - shownAt >= REDRAWN_EVERY_MS || quarter !== shownQuarter;
    if (!isNews || all === 0) return;
    [shownAt, shownQuarter] = [Date.now(), quarter];
    const percent = Math.floor((100 * done) / all);
    const rough = isLarge(all) ? `: ${quarter * 25} %` : '';
    lines.show([{ text: `  ${doing}: ${percent} % of ${bytes(all)}`, plain: `${doing}, ${bytes(all)}${rough}` }]);
  };
  try {
    return await work(show);
  } finally {
    lines.clear();
  }
}

export const isLarge = (size: number): boolean => size >= LARGE_BYTES;
