import { olderLive } from './phase-display.js';
import type { Target } from './targets.js';

/** What a store says of a target, with its public page once it is live. Pure. */
export function messageOf(target: Target): string {
  const { message, phase } = target.status;
  const url = phase === 'live' && olderLive(target) === null ? listingUrl(target) : null;
  return url === null ? message : `${message} ${url}`;
}

/** The public page of a target's item; null where its ids do not tell, or it has none. */
export function listingUrl({ store, channel, storeItemId, crxId }: Target): string | null {
  if (storeItemId === null) return null;
  switch (store) {
    case 'chrome':
      return `https://chromewebstore.google.com/detail/${storeItemId}`;
    case 'firefox':
      return channel === 'unlisted' ? null : `https://addons.mozilla.org/addon/${encodeURIComponent(storeItemId)}/`;
    case 'edge':
      return crxId === null ? null : `https://microsoftedge.microsoft.com/addons/detail/${crxId}`;
    case 'safari':
      return /^\d+$/.test(storeItemId) ? `https://apps.apple.com/app/id${storeItemId}` : null;
  }
}
