import { Command } from 'commander';
import { problemAsSaid } from '../api/problem.js';
import { action, type Context } from '../context.js';
import { EXIT, type ExitCode, usageFailure } from '../failure.js';
import { list } from '../terminal/words.js';
import { withExamples } from './example.js';
import { collect } from './options.js';

interface Options {
  readonly input?: string;
  readonly header?: readonly string[];
  readonly contentType: string;
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** Calls any route of the API. */
export const apiCommand = (): Command =>
  withExamples(
    new Command('api')
      .description('Call any route of the API, and print the answer. With --json, a problem is an answer, too.')
      .argument('<method>', list(METHODS, 'or'))
      .argument('<path>', 'path below /api/v1, with its query')
      .option('-i, --input <file>', 'send this file as the body; - is standard input')
      .option('--content-type <type>', 'type of the body', 'application/json')
      .option('-H, --header <line>', 'add this header; can be repeated', collect)
      .action(action(callApi)),
    'pierhead api GET /extensions',
    `echo '{"name":"Night Owl"}' | pierhead api POST /extensions --input -`,
    `pierhead api DELETE /plans/01a1… --header 'if-match: "2026-11-22T09:30:00.000Z"'`,
  );

async function callApi(context: Context, named: string, path: string, options: Options): Promise<ExitCode> {
  const method = named.toUpperCase();
  if (!METHODS.includes(method))
    throw usageFailure(`"${named}" is not a method of the API.`, `The methods are ${list(METHODS)}.`);
  const body = options.input === undefined ? undefined : new Uint8Array(await context.bytes(options.input));
  const headers = new Headers(body === undefined ? {} : { 'content-type': options.contentType });
  for (const line of options.header ?? []) setHeader(headers, line);
  const service = await context.serviceForAnybody();
  const response = await service.call(method, apiPath(path), {
    headers,
    ...(body === undefined ? {} : { body }),
  });
  // Lines of JSON are text.
  const isJson = /^application\/(json|[\w.-]+\+json)\b/.test(response.headers.get('content-type') ?? '');
  const text = await response.text();
  const answered: unknown = isJson ? JSON.parse(text) : text.replace(/\r?\n$/, '');
  const failure = response.ok ? null : problemAsSaid(response.status, answered);
  if (failure !== null && !context.terminal.json) throw failure;
  context.terminal.data(answered, (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2)));
  return failure?.exitCode ?? EXIT.done;
}

/** @throws Failure for a line that is not a header */
function setHeader(headers: Headers, line: string): void {
  const [, name = '', value = ''] = /^([\w-]+):\s*([\x20-\x7E]*)$/.exec(line) ?? [];
  if (name === '') throw usageFailure(`"${line}" is not a valid header.`, `Example: --header 'accept: text/csv'`);
  headers.set(name, value);
}

/** `extensions`, `/extensions` and `/api/v1/extensions` are one path. */
export const apiPath = (path: string): string => `/api/v1/${path.replace(/^\/?(api\/v1\/)?/, '')}`;
