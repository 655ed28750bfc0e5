import { send } from '../../api';
import type { Filter } from './license-words';

/** Saves the licenses that match as a file. @throws Error when the service refuses */
export async function download(filter: Filter): Promise<void> {
  const query = new URLSearchParams(Object.entries(filter) as [string, string][]);
  const response = await send(new Request(`/api/v1/licenses/export?${query.toString()}`));
  if (!response.ok) throw new Error(`The service answered ${response.status}. Try again in a minute.`);
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: 'licenses.csv' });
  link.click();
  URL.revokeObjectURL(url);
}
