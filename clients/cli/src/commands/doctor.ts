import { Command } from 'commander';
import { action, type Context } from '../context.js';
import type { Finding } from '../doctor/findings.js';
import { EXIT, type ExitCode } from '../failure.js';
import { marked } from '../terminal/tones.js';
import { list } from '../terminal/words.js';
import { withExamples } from './example.js';

/** Finds what keeps an extension from its stores. */
export const doctorCommand = (): Command =>
  withExamples(
    new Command('doctor')
      .description('Check the service, the log-in, the project, keys and targets, and suggest a fix for each problem.')
      .action(action(examineAll)),
    'pierhead doctor',
    'pierhead doctor --json',
  );

async function examineAll(context: Context): Promise<ExitCode> {
  const { examine } = await import('../doctor/examine.js');
  const { terminal } = context;
  const findings: Finding[] = [];
  for await (const finding of examine(context)) {
    findings.push(finding);
    if (!terminal.json) terminal.item(finding, (found) => lineOf(context, found));
  }
  const failures = findings.filter(({ state }) => state === 'failed').length;
  if (terminal.json) terminal.result({ ok: failures === 0, findings }, () => '');
  else terminal.note(summaryOf(findings));
  return failures === 0 ? EXIT.done : EXIT.failed;
}

function lineOf({ terminal }: Context, { state, message, remedy }: Finding): string {
  return `${marked(terminal.style, state, message)}${remedy === null ? '' : `\n  ${remedy}`}`;
}

function summaryOf(findings: readonly Finding[]): string {
  const count = (wanted: Finding['state'], one: string, more: string): string[] => {
    const number = findings.filter(({ state }) => state === wanted).length;
    return number === 0 ? [] : [`${number} ${number === 1 ? one : more}`];
  };
  const parts = [...count('failed', 'fault', 'faults'), ...count('warning', 'warning', 'warnings')];
  return parts.length === 0 ? 'Nothing is wrong.' : `${list(parts)}.`;
}
