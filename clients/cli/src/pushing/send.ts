import type { Service } from '../api/service.js';
import type { Context } from '../context.js';
import { EXIT, Failure, isAbort } from '../failure.js';
import { storeName } from '../stores.js';
import { SOURCES_STORE, type Plan } from './plan.js';
import { withProgress } from './progress.js';
import { sendPackage, sendSources, type Sent } from './requests.js';

/** Sends packages and sources. What is sent first announces the sources, and stores that review them wait. */
export async function send(context: Context, service: Service, { sendings, sources }: Plan): Promise<readonly Sent[]> {
  const { terminal } = context;
  const sent: Sent[] = [];
  for (const sending of sendings) {
    const { prepared, store } = sending;
    const isReviewed = store === null || store === SOURCES_STORE;
    const own = isReviewed && prepared !== null ? sources : null;
    const what = store === null ? 'the package' : `the package for ${storeName(store)}`;
    const pushed = await shown(
      context,
      what,
      prepared?.size ?? 0,
      (onProgress) => sendPackage(service, { ...sending, sourceFollows: own !== null }, onProgress),
      sent,
    );
    sent.push(pushed);
    if (pushed.deduplicated)
      terminal.note(`The same content was pushed before: version ${pushed.artifact.version} is pinned again.`);
    if (own === null) continue;
    try {
      const late = await shown(
        context,
        'the sources',
        own.size,
        (onProgress) => sendSources(service, pushed.artifact.id, own, onProgress),
        sent,
      );
      if (late !== undefined) terminal.warn(late);
    } catch (error) {
      terminal.warn(
        `${storeName(SOURCES_STORE)} waits for the sources of ${pushed.artifact.version}. Push again, with them or without.`,
      );
      throw error;
    }
  }
  return sent;
}

/** Sends, and shows the bytes that were sent. An upload that breaks off is kept nowhere, and can be repeated. */
async function shown<Result>(
  { terminal }: Context,
  what: string,
  size: number,
  work: (onProgress: (sent: number) => void) => Promise<Result>,
  before: readonly Sent[],
): Promise<Result> {
  try {
    return await withProgress(terminal, `Sending ${what}`, (show) => work((done) => show(done, size)));
  } catch (error) {
    if (isAbort(error))
      throw new Failure(
        `Interrupted while sending ${what}. ${before.length === 0 ? 'Nothing was published.' : 'What was already sent goes to the stores.'}`,
        {
          exitCode: EXIT.interrupted,
          hint: 'Push again: the service stores identical content once, and sends nothing to a store twice.',
        },
      );
    throw error;
  }
}
