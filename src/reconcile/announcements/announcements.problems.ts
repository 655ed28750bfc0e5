import { defineProblem } from '../../common/problems/index.js';

export const AnnouncementNotSigned = defineProblem(
  {
    code: 'announcement_not_signed',
    status: 401,
    title: 'Announcement not signed',
    cause: 'No store announces anything here, or the signature is not that of the store.',
    remedy: 'Only the webhook that Pierhead has registered at the store can send announcements.',
  },
  () => ({
    detail: 'No store announces anything here, or the signature is not that of the store.',
    headers: { 'WWW-Authenticate': 'Signature realm="pierhead"' },
  }),
);
