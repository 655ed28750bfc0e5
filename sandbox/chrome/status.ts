import { type Item, itemName, publishedState } from './item.js';

const ASYNC_UPLOAD_REMEMBERED_MS = 24 * 3600 * 1000;

/**
 * `FetchItemStatusResponse`; what is false, zero or empty is left out, as Google's JSON does
 * (src/stores/README.md#chrome-status).
 */
export function statusBody(item: Item, now: Date): Record<string, unknown> {
  const { submitted, published, publicKey } = item;
  const uploadState = asyncUploadState(item, now);
  return {
    name: itemName(item),
    itemId: item.itemId,
    ...(publicKey !== null && { publicKey }),
    ...(published && {
      publishedItemRevisionStatus: {
        state: publishedState(item),
        distributionChannels: publishedChannels(item),
      },
    }),
    ...(submitted && {
      submittedItemRevisionStatus: {
        state: submitted.state,
        distributionChannels: [channel(submitted.package.version, submitted.deployPercentage)],
      },
    }),
    ...(uploadState !== null && { lastAsyncUploadState: uploadState }),
    ...(item.takenDown && { takenDown: true }),
    ...(item.warned && { warned: true }),
  };
}

function publishedChannels(item: Item): object[] {
  if (!item.published) return [];
  const { package: live, deployPercentage } = item.published;
  const previous = item.history.at(-2);
  const rest = item.listPreviousChannel && deployPercentage < 100 && previous ? [channel(previous.version, 100)] : [];
  return [channel(live.version, deployPercentage), ...rest];
}

function channel(crxVersion: string, deployPercentage: number): object {
  return { crxVersion, ...(deployPercentage > 0 && { deployPercentage }) };
}

/** Present only for asynchronous uploads of the last 24 hours (src/stores/README.md#chrome-status). */
function asyncUploadState(item: Item, now: Date): string | null {
  const { asyncUpload } = item;
  if (!asyncUpload || asyncUpload.state === 'ABSENT') return null;
  if (now.getTime() - asyncUpload.startedAt.getTime() > ASYNC_UPLOAD_REMEMBERED_MS) return null;
  return asyncUpload.state === 'IN_PROGRESS' ? item.uploadInProgressSpelling : asyncUpload.state;
}
