import { Option } from 'commander';
import { LICENSE_STATUSES } from '../api/catalog.js';
import type { Service } from '../api/service.js';
import type { Context } from '../context.js';
import type { Narrowing } from '../licensing/licenses.js';
import { findExtension } from '../publishing/extensions.js';

/** Options that narrow a search for licenses. */
export interface NarrowingOptions {
  readonly extension?: string;
  readonly status?: (typeof LICENSE_STATUSES)[number];
}
export const OF_EXTENSION = ['-e, --extension <name>', 'only of this extension'] as const;
export const withStatus = (): Option =>
  new Option('--status <status>', 'only with this status').choices(LICENSE_STATUSES);

/** Filter of a search by the options. @throws Failure for an extension that is not there */
export async function narrowingOf(
  context: Context,
  service: Service,
  { extension: named, status }: NarrowingOptions,
): Promise<Narrowing> {
  const extension = named === undefined ? null : await findExtension(service, named, await context.project());
  return { ...(extension === null ? {} : { extension: extension.id }), ...(status === undefined ? {} : { status }) };
}
