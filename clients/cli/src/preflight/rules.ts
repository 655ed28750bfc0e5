import { basename } from 'node:path';
import {
  findingView,
  inspectArchive,
  justificationFaults,
  manifestFrom,
} from '../../../../src/artifacts/archive/pure.js';
import { linterFindings, preflight, type LinterError, type StoreFinding } from '../../../../src/stores/pure.js';

import { Failure } from '../failure.js';
import type { Project } from '../settings/project-file.js';
import type { Finding } from './findings.js';

export {
  decodeText,
  findMessage,
  inspectApp,
  manifestFrom,
  manifestObject,
  MAX_JSON_BYTES,
} from '../../../../src/artifacts/archive/pure.js';

export {
  CRX_MAGIC,
  CRX_PREAMBLE_BYTES,
  crxStartOf,
  InvalidSigningKey,
  newSigningKey,
  privatePemOf,
  publicPemOf,
  signingKeyOf,
  zipStartOf,
} from '../../../../src/stores/pure.js';

/** Judges a package by the rules of the service, and says for which targets each finding matters. */
export interface Judged extends Finding {
  readonly id: string;
  /** The store's channels in which it matters; all of them when absent. */
  readonly channels: StoreFinding['channels'];
  /** It matters only to a target whose item is not the one with this id. */
  readonly itemId: StoreFinding['itemId'];
}

/** Whether a finding matters at a store, in one of its channels; to which item an id belongs, only the service knows. Pure. */
export const mattersAt = ({ store, channels, itemId }: Judged, at: string, channel: string | null): boolean =>
  store === at && itemId === undefined && (channel === null || (channels?.includes(channel) ?? true));

/** Judges a zip by the rules of all stores, as the service does. @throws Failure with the fault of a zip that the service would not take */
export async function judge(path: string): Promise<readonly Judged[]> {
  const { facts } = await inspectArchive(path).catch((error: Error) => {
    throw new Failure(error.message, { cause: error });
  });
  return preflight(facts).map((found) => ({
    ...findingView(found),
    channels: found.channels,
    itemId: found.itemId,
  }));
}

/** What addons-linter says of a package besides what the rules have found. The service need not have the linter, so nothing can be overridden. */
export const linted = (errors: readonly LinterError[], found: readonly Judged[]): readonly Finding[] =>
  linterFindings(errors, found).map((finding) => ({ ...findingView(finding), id: null }));

/** Justifications of pierhead.json that a package still needs, or no longer needs; none where it has none. */
export function unjustified(
  { path, settings: { justifications } }: Project,
  { manifest }: { readonly manifest: { readonly json: Readonly<Record<string, unknown>> } },
): readonly string[] {
  if (justifications === undefined || path === null) return [];
  const faults = justificationFaults(manifestFrom(manifest.json).manifest, justifications);
  return faults.map((fault) => `${basename(path)}: ${fault}`);
}
