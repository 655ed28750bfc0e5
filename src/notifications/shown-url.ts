import { may, type Caller } from '../common/access/index.js';

/** The URL of a webhook as a caller may see it: who cannot change endpoints sees its host, but not its path, which may be a secret. */
export const urlShownTo = (caller: Caller, url: string): string =>
  may(caller, 'extensions:write') ? url : `${new URL(url).origin}/…`;
