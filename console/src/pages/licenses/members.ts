import { answer, api, usePages, type Schemas } from '../../api';

/** The people on a license besides its buyer, newest first. */
export const useMembers = (id: string) =>
  usePages<Schemas['LicenseMember']>(['licenses', id, 'members'], (cursor, signal) => {
    const query = cursor === undefined ? { limit: 100 } : { limit: 100, cursor };
    return answer(api.GET('/api/v1/licenses/{id}/members', { params: { path: { id }, query }, signal }));
  });

export type Members = ReturnType<typeof useMembers>;
