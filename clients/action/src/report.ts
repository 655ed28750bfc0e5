import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { error, info, setFailed, setOutput, summary, warning } from '@actions/core';
import type { Schema } from '../../cli/src/api/service.js';
import type { Failure } from '../../cli/src/failure.js';
import { targetName, type Target } from '../../cli/src/publishing/targets.js';
import { storeName } from '../../cli/src/stores.js';

/** Output of `pierhead push --json`. */
export interface Pushed {
  readonly extension: { readonly id: string; readonly name: string };
  readonly pushed: readonly { readonly artifact: Schema<'Artifact'>; readonly warning: string | null }[];
  /** As they are when the push ends; null where the token may not read them. */
  readonly targets: readonly Target[] | null;
  readonly outcome: string;
}

/** Reports the push to the workflow: outputs, annotations and the job's summary. */
export async function report({ extension, pushed, targets, outcome }: Pushed): Promise<void> {
  const versions = [...new Set(pushed.map(({ artifact }) => artifact.version))].join(', ');
  setOutput('outcome', outcome);
  setOutput('version', versions);
  for (const { store, status } of targets ?? []) {
    setOutput(`${store}-phase`, status.phase);
    setOutput(`${store}-version`, status.liveVersion ?? '');
  }
  for (const each of new Set(pushed.map(({ warning: text }) => text))) if (each !== null) warning(each);
  for (const target of targets ?? []) annotate(target);
  await summarize(`${extension.name} ${versions}`, targets ?? []);
}

function annotate({ store, status, display: { tone, word } }: Target): void {
  const title = `${storeName(store)}: ${word}`;
  if (tone === 'rejected') error(status.message, { title });
  else if (tone === 'needs_you') warning(status.message, { title });
}

async function summarize(heading: string, targets: readonly Target[]): Promise<void> {
  // A runner that keeps no summaries names no file for them.
  if ((process.env['GITHUB_STEP_SUMMARY'] ?? '') === '') return;
  summary.addHeading(escaped(heading), 3);
  if (targets.length === 0) summary.addRaw('Pushed. Pierhead publishes it to each store.', true);
  else {
    const heads = ['Store', 'State', 'Live', 'What it says'].map((data) => ({ data, header: true }));
    const rows = targets.map((target) => {
      const { liveVersion, message } = target.status;
      return [nameOf(target), escaped(target.display.word), escaped(liveVersion ?? '–'), escaped(message)];
    });
    summary.addTable([heads, ...rows]);
  }
  await summary.write();
}

function nameOf(target: Target): string {
  const { listing } = target;
  return listing === null ? targetName(target) : `<a href="${escaped(listing)}">${targetName(target)}</a>`;
}

/** Stores and manifests may contain any text. After an empty line, the summary would read it as Markdown. */
const escaped = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[&<>"]/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[each] ?? '&quot;');

/** Text for the log: the runner would carry out a line that begins with `::`, or has `##[` in it. Pure. */
export const escapeWorkflowCommands = (text: string): string =>
  text.replaceAll(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');

/**
 * Tells the workflow why nothing was pushed, or why it is not done.
 * @param folder the package, whose files annotations point to
 */
export function reportFailure({ message, hint, errors, requestId }: Failure, folder: string): void {
  for (const { field, message: text } of errors) {
    const [, file = '', line] = /^(.+?)(?::(\d+))?$/.exec(field) ?? [];
    const path = join(folder, file);
    const isFile = file !== '' && existsSync(path) && !relative('', path).startsWith('..');
    error(isFile ? text : `${field}: ${text}`, {
      title: message,
      ...(isFile ? { file: relative('', path) } : {}),
      ...(isFile && line !== undefined ? { startLine: Number(line) } : {}),
    });
  }
  if (hint !== undefined) info(escapeWorkflowCommands(hint));
  setFailed(requestId === undefined ? message : `${message} (request ${requestId})`);
}
