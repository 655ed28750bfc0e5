import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { error, info, notice, setFailed, setOutput, summary, warning } from '@actions/core';
import type { Schema } from '../../cli/src/api/service.js';
import type { Failure } from '../../cli/src/failure.js';
import { inOrder, isRefusal, placeOf, type PushedFinding } from '../../cli/src/preflight/findings.js';
import { targetName, type Target } from '../../cli/src/publishing/targets.js';
import { storeName } from '../../cli/src/stores.js';

/** Output of `pierhead push --json`. */
export interface Pushed {
  readonly extension: { readonly id: string; readonly name: string };
  readonly pushed: readonly {
    readonly artifact: Schema<'Artifact'>;
    /** Zip or folder; null for a version without one. */
    readonly package: string | null;
    readonly warnings: readonly string[];
    readonly findings: readonly PushedFinding[];
  }[];
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
  for (const each of new Set(pushed.flatMap(({ warnings }) => warnings))) warning(each);
  const open = pushed.flatMap(({ findings, package: folder }) =>
    findings.filter(({ acceptedAt }) => acceptedAt === null).map((finding) => ({ ...finding, folder: folder ?? '' })),
  );
  for (const finding of inOrder(open)) annotateFinding(finding, finding.folder);
  for (const target of targets ?? []) annotate(target);
  await summarize(`${extension.name} ${versions}`, targets ?? [], inOrder(open));
}

function annotateFinding(finding: PushedFinding, folder: string): void {
  const { store, severity, message, file } = finding;
  const say = isRefusal(finding) ? error : severity === 'note' ? notice : warning;
  const place = placeOf(finding);
  const path = file === null ? null : inRepository(folder, file);
  say(path === null && place !== null ? `${message} (${place})` : message, {
    title: isRefusal(finding) ? `${storeName(store)} refuses this package` : storeName(store),
    ...(path === null ? {} : { file: path }),
  });
}

/** The path of a package's file in the repository; null where the package is a zip, or lies elsewhere. */
function inRepository(folder: string, file: string): string | null {
  const path = join(folder, file);
  return existsSync(path) && !relative('', path).startsWith('..') ? relative('', path) : null;
}

function annotate({ store, status, display: { tone, word } }: Target): void {
  const title = `${storeName(store)}: ${word}`;
  if (tone === 'rejected') error(status.message, { title });
  else if (tone === 'needs_you') warning(status.message, { title });
}

async function summarize(
  heading: string,
  targets: readonly Target[],
  findings: readonly PushedFinding[],
): Promise<void> {
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
  if (findings.length > 0) summary.addHeading('What stores do not accept', 4).addList(findings.map(itemOf));
  await summary.write();
}

function itemOf(finding: PushedFinding): string {
  const { store, severity, overriddenAt, message, source } = finding;
  const place = placeOf(finding);
  const words = `${storeName(store)}, ${overriddenAt === null ? severity : 'overridden'}: ${message}`;
  return `${escaped(place === null ? words : `${words} (${place})`)} <a href="${escaped(source)}">Source</a>`;
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
    const path = file === '' ? null : inRepository(folder, file);
    error(path === null ? `${field}: ${text}` : text, {
      title: message,
      ...(path === null ? {} : { file: path }),
      ...(path !== null && line !== undefined ? { startLine: Number(line) } : {}),
    });
  }
  if (hint !== undefined) info(escapeWorkflowCommands(hint));
  setFailed(requestId === undefined ? message : `${message} (request ${requestId})`);
}
