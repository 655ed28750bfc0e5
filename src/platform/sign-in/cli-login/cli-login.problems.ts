import { defineProblem } from '../../../common/problems/index.js';

export const CliLoginPending = defineProblem(
  {
    code: 'cli_login_pending',
    status: 409,
    title: 'Not approved yet',
    cause: 'Nobody has approved or denied the log-in on the page at verificationUrl.',
    remedy: 'Ask again after interval seconds, until expiresIn seconds have passed.',
  },
  () => 'Nobody has approved this log-in yet. Ask again in a few seconds.',
);

export const CliLoginDenied = defineProblem(
  {
    code: 'cli_login_denied',
    status: 403,
    title: 'Log-in denied',
    cause: 'A person denied the log-in on the page at verificationUrl.',
    remedy: 'Begin again with POST /auth/cli if that was a mistake.',
  },
  () => 'The log-in was denied in the browser.',
);

export const CliLoginExpired = defineProblem(
  {
    code: 'cli_login_expired',
    status: 410,
    title: 'This log-in has expired',
    cause: 'The log-in was used, is more than 10 minutes old, or was never begun.',
    remedy: 'Begin again with POST /auth/cli.',
  },
  () => 'A log-in can be approved for 10 minutes and used once. Start again.',
);
