/** An invalid field of a request, and its fault. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The facts that a problem's class, its answers and its documentation share. */
export interface ProblemSpec {
  /** Stable snake_case, machine-readable. */
  readonly code: string;
  /** HTTP status. */
  readonly status: number;
  readonly title: string;
  /** When the service answers this, in one sentence. */
  readonly cause: string;
  /** Advice to the caller, in one sentence. */
  readonly remedy: string;
}

/** Additions of an occurrence to the answer: extension members of RFC 9457, and headers. */
export interface ProblemExtras {
  readonly errors?: readonly FieldError[];
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A failure that is answered to the caller. Its kinds are made by `defineProblem` only. */
export abstract class Problem extends Error {
  protected constructor(
    readonly spec: ProblemSpec,
    detail: string,
    readonly extras: ProblemExtras = {},
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}

/** A declared problem: a class to throw, which also knows its own declaration. */
export interface ProblemClass<Args extends readonly unknown[] = readonly never[]> {
  new (...args: Args): Problem;
  readonly spec: ProblemSpec;
}

/** Returns what a repository found. @throws the problem when that is nothing */
export function orThrow<T>(found: T | null | undefined, Missing: ProblemClass<readonly []>): T {
  if (found == null) throw new Missing();
  return found;
}

const catalogue = new Map<string, ProblemSpec>();

/** Returns every declared problem. */
export const declaredProblems = (): readonly ProblemSpec[] => [...catalogue.values()];

/**
 * Declares a problem once for code, filter, OpenAPI and documentation.
 * @param describe turns an occurrence's arguments into its detail, or into the detail and extra members; by default the detail is the cause
 */
export function defineProblem<Args extends readonly unknown[] = []>(
  spec: ProblemSpec,
  describe: (...args: Args) => string | ({ readonly detail: string; readonly cause?: unknown } & ProblemExtras) = () =>
    spec.cause,
): ProblemClass<Args> {
  if (catalogue.has(spec.code)) throw new Error(`The problem code ${spec.code} is declared twice`);
  catalogue.set(spec.code, spec);
  return class extends Problem {
    static readonly spec = spec;

    constructor(...args: Args) {
      const described = describe(...args);
      if (typeof described === 'string') super(spec, described);
      else super(spec, described.detail, described, 'cause' in described ? { cause: described.cause } : undefined);
      this.name = spec.code;
    }
  };
}
