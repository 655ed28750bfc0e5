/** Exit codes of the process. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  rejected: 3,
  notAllowed: 4,
  needsPerson: 5,
  timedOut: 124,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Details of a failure besides its message. */
export interface FailureDetails {
  readonly exitCode?: ExitCode;
  /** The next step, in a sentence or as a command. */
  readonly hint?: string;
  /** Faults, field by field. */
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  /** The stable code of the service's problem. */
  readonly code?: string;
  readonly requestId?: string;
  /** The service's version, where it has no such route. */
  readonly serviceVersion?: string;
  readonly cause?: unknown;
}

/** Ends a command with a message for people instead of a stack trace. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  readonly errors: readonly { readonly field: string; readonly message: string }[];
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly serviceVersion: string | undefined;

  constructor(message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.exitCode = details.exitCode ?? EXIT.failed;
    this.hint = details.hint;
    this.errors = details.errors ?? [];
    this.code = details.code;
    this.requestId = details.requestId;
    this.serviceVersion = details.serviceVersion;
  }
}

/** Ends a command whose arguments or options cannot be used. */
export const usageFailure = (message: string, hint?: string): Failure =>
  new Failure(message, { exitCode: EXIT.usage, ...(hint === undefined ? {} : { hint }) });

/** Why a file cannot be read, by the code of the system; its message for any other code. */
const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file.',
  EISDIR: 'it is a folder.',
  EACCES: 'you may not read it.',
  ELOOP: 'it is a link that leads to itself.',
};

/** Ends a command that cannot read a file of the user's. */
export function unreadableFailure(path: string, error: unknown): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return usageFailure(`${path} cannot be read: ${FAULTS[code] ?? message}`);
}

/** Message of a thrown value: of a system failure, its message, never its stack. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (isAbort(thrown)) return new Failure('Interrupted.', { exitCode: EXIT.interrupted });
  return new Failure(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
}

/** Adds the command that resumes to a failure by Ctrl-C or "no", since answers given so far are kept. Returns any other failure unchanged. */
export function withResumeHint(thrown: unknown, command: string): unknown {
  const { message, exitCode, code } = asFailure(thrown);
  const hasLeft = exitCode === EXIT.interrupted || code === 'left';
  return hasLeft ? new Failure(message, { exitCode, hint: `Nothing is lost. Continue with: ${command}` }) : thrown;
}

/** Says how to get another token where one was refused, and nobody can log in instead. Returns any other failure unchanged. */
export const withTokenHint = (failure: Failure, hint: string): Failure =>
  failure.code === 'unauthenticated' ? new Failure(failure.message, { ...failure, hint }) : failure;

/** Compares major and minor version: routes change with these only. @returns less than 0 when ours is the older one, 0 when both have the same routes */
export function compareMinor(ours: string, theirs: string): number {
  const [our, their] = [ours, theirs].map((version) => version.split('.').map(Number)) as [number[], number[]];
  return (our[0] ?? 0) - (their[0] ?? 0) || (our[1] ?? 0) - (their[1] ?? 0);
}

/** Names both versions where the service has no route for a command, because one of them is older. Returns any other failure unchanged. */
export function withVersions(failure: Failure, ours: string): Failure {
  const { serviceVersion: theirs, message } = failure;
  if (theirs === undefined || compareMinor(ours, theirs) === 0) return failure;
  const versions = `The service is version ${theirs}, this program is version ${ours}.`;
  return new Failure(`${message} ${versions}`, { ...failure, hint: 'See which of them to update: pierhead doctor' });
}

export const isAbort = (thrown: unknown): boolean =>
  (thrown as { readonly name?: unknown } | null)?.name === 'AbortError';
