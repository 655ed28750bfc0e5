import { type Answer, jsonAnswer, Refusal, textAnswer } from '../answer.js';

/** An associated error, which `meta.associatedErrors` lists by the path of a resource. */
export interface Associated {
  readonly path: string;
  readonly code: string;
  readonly title?: string | undefined;
  readonly detail?: string | undefined;
}

interface AscError {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly source?: object | undefined;
  readonly associated?: readonly Associated[] | undefined;
}

/** Apple's error envelope; `status` is a string (src/stores/README.md#safari-errors). */
export function ascError(status: number, { code, title, detail, source, associated }: AscError): Answer {
  const behind: Record<string, object[]> = {};
  for (const { path, ...error } of associated ?? [])
    (behind[path] ??= []).push({ id: errorId(), status: String(status), title, ...error });
  const meta = associated && { meta: { associatedErrors: behind } };
  return jsonAnswer(status, {
    errors: [{ id: errorId(), status: String(status), code, title, detail, ...(source && { source }), ...meta }],
  });
}

/** The error as an exception. */
export function ascRefusal(status: number, error: AscError): Refusal {
  return new Refusal(ascError(status, error), error.detail);
}

let errors = 0;
const errorId = (): string => `00000000-0000-4000-8000-${String((errors += 1)).padStart(12, '0')}`;

const NOT_AUTHORIZED: AscError = {
  code: 'NOT_AUTHORIZED',
  title: 'Authentication credentials are missing or invalid.',
  detail:
    'Provide a properly configured and signed bearer token, and make sure that it has not expired. Learn more about ' +
    'Generating Tokens for API Requests https://developer.apple.com/go/?id=api-generating-tokens',
};

/** 401, the same whatever is wrong with the token (src/stores/README.md#safari-errors). */
export const notAuthorized = (): Refusal => ascRefusal(401, NOT_AUTHORIZED);

/** 403 for a key whose role does not allow the call. */
export function forbidden(): Refusal {
  return ascRefusal(403, {
    code: 'FORBIDDEN_ERROR',
    title: 'This request is forbidden for security reasons',
    detail: 'The API key in use does not allow this request',
  });
}

/** 403 until Apple's newest agreement is accepted (src/stores/README.md#safari-errors). */
export function agreementsMissing(): Refusal {
  return ascRefusal(403, {
    code: 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED',
    title: 'A required agreement is missing or has expired.',
    detail: 'This request requires an in-effect agreement that has not been signed or has expired.',
  });
}

/** 404 for a resource that does not exist or belongs to another team. */
export function notFound(type: string, id: string): Refusal {
  return ascRefusal(404, {
    code: 'NOT_FOUND',
    title: 'The specified resource does not exist',
    detail: `There is no resource of type '${type}' with id '${id}'`,
  });
}

/** 400 for an invalid query parameter. */
export function badParameter(parameter: string, detail: string, kind: 'INVALID' | 'ILLEGAL' | 'MISSING'): Refusal {
  return ascRefusal(400, {
    code: `PARAMETER_ERROR.${kind}`,
    title: 'A parameter has an invalid value',
    detail,
    source: { parameter },
  });
}

/** 409 for invalid values or states. */
export function conflict(code: string, detail: string, associated?: readonly Associated[]): Refusal {
  const title = code.startsWith('STATE_ERROR')
    ? 'The request cannot be fulfilled because of the state of another resource.'
    : 'The provided entity includes a value that is not acceptable';
  return ascRefusal(409, { code, title, detail, associated });
}

/** 422 for a body that is not a JSON:API document. */
export function unprocessable(detail: string): Refusal {
  return ascRefusal(422, {
    code: 'ENTITY_UNPROCESSABLE',
    title: 'The request entity is not a valid request document object',
    detail,
  });
}

/** 429 when the hour's calls are used up (src/stores/README.md#safari-conventions). */
export function rateLimited(): Refusal {
  return ascRefusal(429, {
    code: 'RATE_LIMIT_EXCEEDED',
    title: 'The request rate limit has been reached.',
    detail: "We've received too many requests for this API. Please wait and try again or slow down your request rate.",
  });
}

/** 404 for an unknown path. */
export function noSuchPath(path: string): Answer {
  return ascError(404, {
    code: 'PATH_ERROR',
    title: 'The URL path is not valid',
    detail: `The URL path '${path}' is not valid`,
  });
}

const FAULT_CODES: Readonly<Record<number, string>> = {
  400: 'PARAMETER_ERROR.INVALID',
  403: 'FORBIDDEN_ERROR',
  404: 'NOT_FOUND',
  409: 'STATE_ERROR',
  422: 'ENTITY_UNPROCESSABLE',
  429: 'RATE_LIMIT_EXCEEDED',
  500: 'UNEXPECTED_ERROR',
};

/** Apple's answer with a status, for faults. */
export function ascFault(_operation: string, status: number): Answer {
  if (status === 401) return ascError(401, NOT_AUTHORIZED);
  const code = FAULT_CODES[status];
  if (code === undefined)
    return textAnswer(status, 'text/html; charset=UTF-8', `<!DOCTYPE html>\n<title>Error ${status}</title>\n`);
  return ascError(status, { code, title: 'The request could not be fulfilled.', detail: `Sandbox fault ${status}.` });
}
