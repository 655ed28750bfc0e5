import { EXIT, Failure } from '../failure.js';
import { problemFailure } from './problem.js';
import type { Service } from './service.js';

/** Checks that the service knows a token. One that may not list extensions is known all the same. @throws Failure when it does not */
export async function assertAccepted(service: Service): Promise<void> {
  const { error, response } = await service.client.GET('/api/v1/extensions', { params: { query: { limit: 1 } } });
  if (response.ok || response.status === 403) return;
  const { message, hint, requestId } = problemFailure(response.status, error);
  throw new Failure(message, {
    exitCode: response.status === 401 ? EXIT.notAllowed : EXIT.failed,
    ...(hint === undefined || response.status === 401 ? {} : { hint }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

/** When a token ends, as it says itself; null for never, undefined where it does not say. Only the service knows whether it was revoked. Pure. */
export function endOf(token: string): Date | null | undefined {
  const [, claims] = token.split('.');
  try {
    const { exp } = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString('utf8')) as { readonly exp?: unknown };
    return typeof exp === 'number' ? new Date(exp * 1000) : null;
  } catch {
    return undefined;
  }
}
