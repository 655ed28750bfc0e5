import { defineProblem } from '../../../common/problems/index.js';

export const StreamLimitReached = defineProblem(
  {
    code: 'stream_limit_reached',
    status: 429,
    title: 'Too many streams',
    cause: 'The tenant or the address has as many streams open as one process of the service allows.',
    remedy: 'Close a stream, or wait as long as Retry-After says.',
  },
  (limit: number, whose: 'tenant' | 'address') => ({
    detail: `This ${whose} has ${limit} streams open.`,
    headers: { 'Retry-After': '60' },
  }),
);
