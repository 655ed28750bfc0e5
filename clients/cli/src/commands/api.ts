import { Command } from 'commander';
import { problemFailure } from '../api/problem.js';
import { action, type Context } from '../context.js';
import { withExamples } from './example.js';

interface Options {
  readonly input?: string;
  readonly contentType: string;
}

/** Calls any route of the API. */
export const apiCommand = (): Command =>
  withExamples(
    new Command('api')
      .description('Call any route of the API, and print the answer.')
      .argument('<method>', 'GET, POST, PATCH, PUT or DELETE')
      .argument('<path>', 'path below /api/v1, with its query')
      .option('-i, --input <file>', 'send this file as the body; - is standard input')
      .option('--content-type <type>', 'type of the body', 'application/json')
      .action(action(callApi)),
    'pierhead api GET /extensions',
    `echo '{"name":"Night Owl"}' | pierhead api POST /extensions --input -`,
  );

async function callApi(context: Context, method: string, path: string, options: Options): Promise<void> {
  const body = options.input === undefined ? undefined : await context.text(options.input);
  const service = await context.service();
  const response = await service.call(method.toUpperCase(), apiPath(path), body, options.contentType);
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok) {
    throw problemFailure(response.status, type.includes('json') ? await response.json() : undefined);
  }
  const text = await response.text();
  context.terminal.result(type.includes('json') ? JSON.parse(text) : text, (value) =>
    typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  );
}

/** `extensions`, `/extensions` and `/api/v1/extensions` are one path. */
export const apiPath = (path: string): string => `/api/v1/${path.replace(/^\/?(api\/v1\/)?/, '')}`;
