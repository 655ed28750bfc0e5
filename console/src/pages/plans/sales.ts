import { answer, api, type Schemas } from '../../api';

/** Queries whose results change with the license of a sale. */
export const SALES = [['inbox'], ['orders'], ['licenses'], ['overview']];

/** Replays all sales that made no license. @returns how many still have none */
export async function replayAll(wish: Omit<Schemas['ReplayInbox'], 'cursor'>): Promise<number> {
  let open = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const body = { ...wish, ...(cursor === undefined ? {} : { cursor }) };
    const page = await answer(api.POST('/api/v1/webhooks/inbox/replay', { body }));
    open += page.items.filter(({ status }) => status !== 'handled').length;
    cursor = page.nextCursor;
  }
  return open;
}
