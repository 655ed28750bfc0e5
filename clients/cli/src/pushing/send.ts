import { answer, type Service } from '../api/service.js';
import type { Context } from '../context.js';
import { asFailure, EXIT, Failure, isAbort } from '../failure.js';
import { storeName, type Target } from '../publishing/targets.js';
import { bytes } from '../terminal/words.js';
import { SOURCES_STORE, type Plan } from './plan.js';
import { sendPackage, sendSources, type Sent } from './requests.js';

/** Above this, a log gets a line for each quarter. */
const LARGE_BYTES = 5_000_000;

/** Sends packages and sources. The store waits for the sources, where the token may tell it to. */
export async function send(context: Context, service: Service, plan: Plan): Promise<readonly Sent[]> {
  const { extension, sources, targets } = plan;
  const reviewed =
    sources === null ? [] : (targets ?? []).filter(({ store, paused }) => store === SOURCES_STORE && !paused);
  const paused: Target[] = [];
  try {
    for (const target of reviewed)
      if (await setPaused(service.uninterrupted(), extension.id, target, true)) paused.push(target);
    service.options.signal?.throwIfAborted();
    return await sendAll(context, service, plan);
  } finally {
    // Also after Ctrl-C, or the store would wait for good.
    for (const target of paused) await setPaused(service.uninterrupted(), extension.id, target, false);
  }
}

/** @returns whether the token may do this */
async function setPaused(
  service: Service,
  extensionId: string,
  { id: targetId }: Target,
  isPaused: boolean,
): Promise<boolean> {
  const path = { id: extensionId, targetId };
  const options = { params: { path }, fetch: service.repeatedly };
  try {
    if (isPaused) await answer(service.client.POST('/api/v1/extensions/{id}/targets/{targetId}/pause', options));
    else await answer(service.client.POST('/api/v1/extensions/{id}/targets/{targetId}/resume', options));
    return true;
  } catch (error) {
    if (asFailure(error).exitCode === EXIT.notAllowed) return false;
    throw error;
  }
}

async function sendAll(context: Context, service: Service, { sendings, sources }: Plan): Promise<readonly Sent[]> {
  const { terminal } = context;
  const sent: Sent[] = [];
  for (const sending of sendings) {
    const { prepared, store } = sending;
    const what = store === null ? 'the package' : `the package for ${storeName(store)}`;
    const pushed = await withProgress(
      context,
      what,
      prepared?.size ?? 0,
      (onProgress) => sendPackage(service, sending, onProgress),
      sent,
    );
    sent.push(pushed);
    if (pushed.deduplicated)
      terminal.note(`The same content was pushed before: version ${pushed.artifact.version} is pinned again.`);
    const isReviewed = store === null || store === SOURCES_STORE;
    if (sources === null || !isReviewed || prepared === null) continue;
    const late = await withProgress(
      context,
      'the sources',
      sources.size,
      (onProgress) => sendSources(service, pushed.artifact.id, sources, onProgress),
      sent,
    );
    if (late !== undefined) terminal.warn(late);
  }
  return sent;
}

/** Shows the bytes that were sent. An upload that breaks off is kept nowhere, and can be repeated. */
async function withProgress<Result>(
  { terminal }: Context,
  what: string,
  size: number,
  work: (onProgress: (sent: number) => void) => Promise<Result>,
  before: readonly Sent[],
): Promise<Result> {
  const lines = terminal.lines();
  let shownAt = 0;
  const show = (sent: number): void => {
    const isNews = Date.now() - shownAt >= 100 || sent === size;
    if (!isNews || size === 0) return;
    shownAt = Date.now();
    const percent = Math.floor((100 * sent) / size);
    const rough = size < LARGE_BYTES ? '' : `: ${Math.floor(percent / 25) * 25} %`;
    lines.show([
      { text: `  Sending ${what}: ${percent} % of ${bytes(size)}`, plain: `Sending ${what}, ${bytes(size)}${rough}` },
    ]);
  };
  try {
    return await work(show);
  } catch (error) {
    if (isAbort(error))
      throw new Failure(
        `Interrupted while sending ${what}. ${before.length === 0 ? 'Nothing was published.' : 'What was sent before goes to the stores.'}`,
        {
          exitCode: EXIT.interrupted,
          hint: 'Push again: the service keeps equal contents once, and sends nothing to a store twice.',
        },
      );
    throw error;
  } finally {
    lines.clear();
  }
}
