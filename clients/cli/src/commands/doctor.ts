import { Command } from 'commander';
import { action, type Context } from '../context.js';
import type { Finding } from '../doctor/findings.js';
import { EXIT, type ExitCode } from '../failure.js';
import type { Style } from '../terminal/style.js';
import { marked } from '../terminal/tones.js';
import { list } from '../terminal/words.js';
import { withExamples } from './example.js';

/** Finds what keeps an extension from its stores. */
export const doctorCommand = (): Command =>
  withExamples(
    new Command('doctor')
      .description('Check the service, the log-in, the project, keys and targets, and suggest a fix for each problem.')
      .option('-v, --verbose', 'also show each check that passed')
      .action(action(examineAll)),
    'pierhead doctor',
    'pierhead doctor -v',
    'pierhead doctor --json',
  );

const IN_ORDER: readonly Finding['state'][] = ['failed', 'warning', 'skipped', 'ok'];

async function examineAll(context: Context, { verbose = false }: { readonly verbose?: boolean }): Promise<ExitCode> {
  const { examine } = await import('../doctor/examine.js');
  const { terminal } = context;
  const findings: Finding[] = [];
  const lines = terminal.isLive ? terminal.lines() : null;
  try {
    for await (const finding of examine(context)) {
      findings.push(finding);
      lines?.show([{ text: `  Checked ${findings.length}`, plain: '' }]);
    }
  } finally {
    lines?.clear();
  }
  const failures = findings.filter(({ state }) => state === 'failed').length;
  if (!terminal.json) terminal.note(summaryOf(findings));
  terminal.result({ ok: failures === 0, findings }, () => textOf(findings, terminal.style, verbose));
  return failures === 0 ? EXIT.done : EXIT.failed;
}

/** Faults, then warnings, then what could not be checked, and how much is well. Pure. */
function textOf(findings: readonly Finding[], style: Style, isVerbose: boolean): string {
  const shown = isVerbose ? findings : findings.filter(({ state }) => state !== 'ok');
  const well = findings.length - shown.length;
  return [
    ...shown
      .toSorted((one, other) => IN_ORDER.indexOf(one.state) - IN_ORDER.indexOf(other.state))
      .map(({ state, message, remedy }) => marked(style, state, `${message}${remedy === null ? '' : `\n  ${remedy}`}`)),
    ...(well === 0
      ? []
      : [marked(style, 'ok', `${well} ${well === 1 ? 'check' : 'checks'} passed. Show with: pierhead doctor -v`)]),
  ].join('\n');
}

function summaryOf(findings: readonly Finding[]): string {
  const count = (wanted: Finding['state'], one: string, more: string): string[] => {
    const number = findings.filter(({ state }) => state === wanted).length;
    return number === 0 ? [] : [`${number} ${number === 1 ? one : more}`];
  };
  const parts = [...count('failed', 'fault', 'faults'), ...count('warning', 'warning', 'warnings')];
  return parts.length === 0 ? 'Nothing is wrong.' : `${list(parts)}.`;
}
