import { defineProblem } from '../../common/problems/index.js';

export const LoginLinkInvalid = defineProblem(
  {
    code: 'login_link_invalid',
    status: 410,
    title: 'This link is no longer valid',
    cause: 'The log-in link was used before, is more than 15 minutes old, or is incomplete.',
    remedy: 'Ask the operator for another link.',
  },
  () => 'A log-in link works once, within 15 minutes. Ask the operator for another one.',
);
