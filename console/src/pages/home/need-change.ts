import { answer, api, useWrite, type Schemas } from '../../api';
import { exact } from '../../ui';

type Need = Schemas['OverviewNeed'];

/** Changes until when a need is snoozed, and who sees to it. */
export function useNeedChange(need: Need) {
  return useWrite({
    write: (body: Schemas['UpdateNeed']) =>
      answer(api.PATCH('/api/v1/overview/needs/{key}', { params: { path: { key: need.key } }, body })),
    changes: [['overview']],
    announcement: ({ assignee }, { snoozedUntil }) => {
      if (snoozedUntil === null) return 'It is shown again.';
      if (snoozedUntil !== undefined) return `Snoozed for everybody until ${exact(snoozedUntil)}.`;
      return assignee === null ? 'Nobody is assigned any more.' : `Assigned to ${assignee.email}.`;
    },
  });
}

export type Change = ReturnType<typeof useNeedChange>;
