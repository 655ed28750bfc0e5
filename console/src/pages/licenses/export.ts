import { fetchFile } from '../../api';
import { saveFile } from '../../ui';
import type { Filter } from './license-words';

/** Saves the licenses that match the filter as `licenses.csv`. @throws Problem when the service refuses */
export async function download(filter: Filter): Promise<void> {
  const query = new URLSearchParams(Object.entries(filter) as [string, string][]);
  const file = await fetchFile(`/api/v1/licenses/export?${query.toString()}`);
  saveFile(await file.blob(), 'licenses.csv');
}
