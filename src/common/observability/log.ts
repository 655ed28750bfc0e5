import type { LoggerService } from '@nestjs/common';
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger as Pino } from 'pino';
import { logContext } from '../access/pure.js';

/** Members whose values are redacted, at the top of a line or one level below. */
const SECRETS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'secret',
  'credentials',
  'secrets',
  'private_key',
  'fingerprint',
];

/** Contexts of Nest's own lines at start, which are logged at debug level. */
const FRAMEWORK_CONTEXTS = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

type Level = 'info' | 'error' | 'warn' | 'debug' | 'trace' | 'fatal';

/** The parts of an error that are logged: enough to find it, without the values that a database quotes in its details. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly cause?: LoggedError;
}

/** Standard output: readable on a terminal, JSON elsewhere. */
export async function standardOutput(): Promise<DestinationStream> {
  if (!process.stdout.isTTY) return destination({ dest: 1, sync: true });
  const { default: pretty } = await import('pino-pretty');
  return pretty({ singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
}

/** Makes the logger. @param stream where lines go */
export function makePino(level: string, stream: DestinationStream): Pino {
  return pino(
    {
      level,
      base: null,
      mixin: logContext,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      serializers: { err: describeError },
    },
    stream,
  );
}

/** Nest's logger on top of pino: a message is text, or an object with `msg` and other members. */
export class PinoLog implements LoggerService {
  constructor(readonly logger: Pino) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest passes the context as the last argument, and for errors a stack before it. */
  private write(given: Level, message: unknown, rest: readonly unknown[]): void {
    const context = rest.at(-1);
    const level = given === 'info' && typeof context === 'string' && FRAMEWORK_CONTEXTS.has(context) ? 'debug' : given;
    const fields = {
      ...(typeof context === 'string' ? { context } : {}),
      ...(message instanceof Error ? { err: message } : typeof message === 'object' ? message : {}),
      ...(rest.length > 1 && typeof rest[0] === 'string' ? { stack: rest[0] } : {}),
    };
    if (typeof message === 'string') this.logger[level](fields, message);
    else this.logger[level](fields);
  }
}

function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
