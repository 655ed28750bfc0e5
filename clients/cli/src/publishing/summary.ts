import { EXIT, type ExitCode } from '../failure.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Followed } from './follow.js';
import { isSameVersion } from './goal.js';
import { cellOf, linkedName, messageOf } from './display.js';
import { storeName } from '../stores.js';

/** The final phase of each target, with the store's own words. */
export const summary = (followed: readonly Followed[], style: Style): string =>
  table(
    followed.map(({ target }) => [linkedName(target, style), cellOf(target, style), messageOf(target, style)]),
    style,
    { endsInProse: true },
  );

/** Prints what the user has to do next, and the command that does it. */
export function printNextSteps(terminal: Terminal, followed: readonly Followed[], exitCode: ExitCode): void {
  if (exitCode === EXIT.timedOut)
    terminal.note('Timed out waiting. The service continues; resume with: pierhead watch');
  for (const each of followed) {
    const next = nextStep(each);
    if (next !== null) terminal.note(next);
  }
}

function nextStep({ target, result }: Followed): string | null {
  const { store, paused, status } = target;
  const name = storeName(store);
  if (result === 'replaced' && !isSameVersion(status.desiredVersion, status.liveVersion))
    return `${name} is on its way to ${status.desiredVersion} instead.`;
  if (result !== 'needsPerson') return null;
  if (paused) return `${name} is paused. Resume it with: pierhead resume ${store}`;
  if (status.phase === 'incomplete') return `${name} is not connected yet. Connect it with: pierhead connect ${store}`;
  return status.phase === 'approved'
    ? `${name} has approved the version. Publish it with: pierhead release ${store}`
    : null;
}
