import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { JsonObject } from './manifest.js';

/** One thing that Mozilla's linter says. */
export interface LinterMessage {
  readonly code: string;
  readonly message: string;
  /** Inside the package; null where it is about all of it. */
  readonly file: string | null;
  readonly line: number | null;
}

/** Report of Mozilla's linter about a package. AMO refuses one with errors. */
export interface LinterReport {
  /** Of the linter. */
  readonly version: string;
  readonly errors: readonly LinterMessage[];
  readonly warnings: readonly LinterMessage[];
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** It takes twenty seconds for the largest blockers of ads. */
const TIMEOUT_MS = 300_000;
const MAX_HEAP_MIB = 4096;

/**
 * Runs Mozilla's addons-linter on a package, if the project has installed it, alone or with web-ext.
 * @param project the folder from which it is looked for, as `import` would
 * @param onStart called when it is installed, before it runs: that takes seconds
 * @returns null when it is not installed
 * @throws Error when it is, and does not work
 */
export async function lint(
  path: string,
  project: string,
  signal?: AbortSignal,
  onStart?: () => void,
): Promise<LinterReport | null> {
  const manifest = findLinter(project);
  if (manifest === null) return null;
  onStart?.();
  const { version, bin } = JSON.parse(await readFile(manifest, 'utf8')) as {
    readonly version: string;
    readonly bin: Readonly<Record<string, string>>;
  };
  const program = join(dirname(manifest), bin['addons-linter'] ?? '');
  const output = await run(
    [`--max-old-space-size=${MAX_HEAP_MIB}`, program, '--output', 'json', '--boring', resolve(path)],
    signal,
  );
  const report = parseReport(output);
  if (report === null) throw new Error(`addons-linter ${version} printed no report: ${output.slice(0, 500).trim()}`);
  return { version, errors: messages(report.errors), warnings: messages(report.warnings) };
}

function findLinter(project: string): string | null {
  const from = (file: string, wanted: string): string | null => {
    try {
      return createRequire(file).resolve(wanted);
    } catch {
      return null;
    }
  };
  const here = join(resolve(project), 'package.json');
  const webExt = from(here, 'web-ext');
  return (
    from(here, 'addons-linter/package.json') ?? (webExt === null ? null : from(webExt, 'addons-linter/package.json'))
  );
}

/** The linter's exit code says whether there are errors, as its report does. */
function run(args: readonly string[], signal: AbortSignal | undefined): Promise<string> {
  return new Promise((done, reject) => {
    const options = { maxBuffer: MAX_OUTPUT_BYTES, timeout: TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (error?.name === 'AbortError') reject(error);
      else if (error?.killed === true && error.code === null)
        reject(new Error(`addons-linter did not finish within ${TIMEOUT_MS / 60_000} minutes.`, { cause: error }));
      else done(stdout === '' ? stderr : stdout);
    });
  });
}

function parseReport(output: string): { readonly errors: unknown; readonly warnings?: unknown } | null {
  try {
    const report: unknown = JSON.parse(output);
    return typeof report === 'object' && report !== null && 'errors' in report ? report : null;
  } catch {
    return null;
  }
}

const messages = (list: unknown): LinterMessage[] =>
  (Array.isArray(list) ? (list as readonly JsonObject[]) : []).map(({ code, message, file, line }) => ({
    code: String(code),
    message: String(message),
    file: typeof file === 'string' ? file : null,
    line: typeof line === 'number' ? line : null,
  }));
