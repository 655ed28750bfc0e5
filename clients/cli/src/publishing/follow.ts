import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from '../api/service.js';
import type { Context } from '../context.js';
import { EXIT, Failure, isAbort, type ExitCode } from '../failure.js';
import type { Line } from '../terminal/lines.js';
import { pad } from '../terminal/table.js';
import { linked, type Style } from '../terminal/style.js';
import type { Terminal } from '../terminal/terminal.js';
import { toned } from '../terminal/tones.js';
import { widthOf } from '../terminal/width.js';
import { duration } from '../terminal/words.js';
import type { WaitResult } from './goal.js';
import { sentenceInOptions } from '../api/in-options.js';
import { isLive, linkedName, STAGES } from './display.js';
import { listTargets, targetName, type Target } from './targets.js';

const SHORTEST_MS = 1_000;
const LONGEST_MS = 15_000;
/** Interval at which the service is told that somebody waits, so that it asks the stores more often. */
const WATCH_EVERY_MS = 60_000;
const WORD_WIDTH = 14;

/** A target as it is followed. */
export interface Followed {
  readonly target: Target;
  readonly result: WaitResult;
}

/** Outcome of following. */
export interface Outcome {
  readonly followed: readonly Followed[];
  readonly exitCode: ExitCode;
}

interface Following {
  /** The targets to follow, of all that the extension has. */
  readonly choose: (target: Target) => boolean;
  readonly resultOf: (target: Target) => WaitResult;
  /** Called with each target when it first appears, and whenever it changes. */
  readonly onChange?: (followed: Followed) => void;
  /** In milliseconds; null for no end. */
  readonly timeoutMs: number | null;
}

/**
 * Follows an extension's targets until each has come as far as it will go, or a store rejects the version.
 * @throws Failure when the service is lost, after what was last known, or when the user interrupts
 */
export async function follow(
  { terminal, surroundings }: Context,
  service: Service,
  extensionId: string,
  { choose, resultOf, onChange, timeoutMs }: Following,
): Promise<Outcome> {
  const { signal } = surroundings;
  const startedAt = Date.now();
  const board = new Board(terminal);
  const known = new Map<string, string>();
  let followed: readonly Followed[] = [];
  let watchedAt = -WATCH_EVERY_MS;
  try {
    for (;;) {
      if (Date.now() - startedAt - watchedAt >= WATCH_EVERY_MS) {
        watchedAt = Date.now() - startedAt;
        const params = { path: { id: extensionId } };
        // An older service that does not know it asks the stores at its own pace.
        await service.client.POST('/api/v1/extensions/{id}/watch', { params, fetch: service.repeatedly });
      }
      const targets = (await listTargets(service, extensionId)).filter(choose);
      followed = targets.map((target) => ({ target, result: resultOf(target) }));
      for (const each of followed.filter(isNews(known))) onChange?.(each);
      board.show(followed);
      const exitCode = exitCodeOf(followed.map(({ result }) => result));
      if (exitCode !== null) return { followed, exitCode };
      const elapsed = Date.now() - startedAt;
      const left = timeoutMs === null ? Infinity : timeoutMs - elapsed;
      if (left <= 0) return { followed, exitCode: EXIT.timedOut };
      const interval = Math.min(Math.max(elapsed / 20, SHORTEST_MS), LONGEST_MS, left);
      await pause(interval, undefined, { signal });
    }
  } catch (error) {
    board.clear();
    if (isAbort(error)) throw interrupted();
    for (const each of followed) terminal.note(`${plainLine(each)} (last known)`);
    throw error;
  } finally {
    board.clear();
  }
}

const interrupted = (): Failure =>
  new Failure('Interrupted. The service continues.', {
    exitCode: EXIT.interrupted,
    hint: 'Resume with: pierhead watch',
  });

/** Whether a target has changed since it was last asked about, which it remembers. */
const isNews =
  (known: Map<string, string>) =>
  ({ target: { id, status }, result }: Followed): boolean => {
    const said = `${status.phase} ${status.message} ${result}`;
    const isNew = known.get(id) !== said;
    known.set(id, said);
    return isNew;
  };

/** Null while something is still to come. A rejection ends at once; a person is asked when all others are done. */
export function exitCodeOf(results: readonly WaitResult[]): ExitCode | null {
  if (results.includes('rejected')) return EXIT.rejected;
  if (results.includes('waiting')) return null;
  if (results.includes('needsPerson')) return EXIT.needsPerson;
  return results.includes('replaced') ? EXIT.failed : EXIT.done;
}

/** One line for each target, in a terminal with the time since it got there. */
class Board {
  private readonly lines;
  private readonly since = new Map<string, { readonly phase: string; readonly at: number }>();

  constructor(private readonly terminal: Terminal) {
    this.lines = terminal.lines();
  }

  show(followed: readonly Followed[]): void {
    const nameWidth = Math.max(...followed.map(({ target }) => widthOf(targetName(target))));
    this.lines.show(followed.map((each) => this.lineOf(each, nameWidth)));
  }

  clear(): void {
    this.lines.clear();
  }

  private lineOf(each: Followed, nameWidth: number): Line {
    const { id, status } = each.target;
    const known = this.since.get(id);
    const since = known?.phase === status.phase ? known : { phase: status.phase, at: Date.now() };
    this.since.set(id, since);
    const text = liveLine(each, { nameWidth, ms: Date.now() - since.at }, this.terminal.noteStyle);
    return { text, plain: plainLine(each) };
  }
}

function liveLine(
  { target, result }: Followed,
  { nameWidth, ms }: { readonly nameWidth: number; readonly ms: number },
  style: Style,
): string {
  const { word, progress, tone } = target.display;
  const stages = `${'●'.repeat(progress)}${'○'.repeat(STAGES - progress)}`;
  const age = result === 'waiting' ? duration(ms) : '';
  const columns = [
    pad(linkedName(target, style), nameWidth),
    toned(style, tone, `${stages}  ${pad(word, WORD_WIDTH)}`),
    pad(age, 8),
  ];
  // A line that is too long is cut, and what is live needs no more words.
  const words =
    (isLive(target) && target.listing !== null ? linked(style, target.listing) : null) ??
    sentenceInOptions(target.status.message);
  return `  ${columns.join('  ')}  ${words}`.trimEnd();
}

const plainLine = ({ target: { status, display, ...target } }: Followed): string =>
  `${targetName(target)}: ${display.word}. ${sentenceInOptions(status.message)}`;
