import { defineProblem } from '../../../common/problems/index.js';

export const SessionNotFound = defineProblem(
  {
    code: 'session_not_found',
    status: 404,
    title: 'Session not found',
    cause: 'The user has no session with this id. It may have ended.',
    remedy: 'List the sessions with GET /auth/sessions.',
  },
  () => 'You have no session with this id.',
);
