import { defineProblem } from '../../common/problems/index.js';

export const TrialNotFound = defineProblem({
  code: 'trial_not_found',
  status: 404,
  title: 'Trial not found',
  cause: 'The tenant has no trial with this id.',
  remedy: 'List the trials with GET /trials.',
});

export const TrialConverted = defineProblem(
  {
    code: 'trial_converted',
    status: 409,
    title: 'Trial became a license',
    cause: 'A code was activated on the device, so its license counts.',
    remedy: 'Change the license instead.',
  },
  () => 'A code was activated on the device of this trial. Change its license instead.',
);

export const TrialMailUnavailable = defineProblem(
  {
    code: 'trial_mail_unavailable',
    status: 409,
    title: 'No mail server',
    cause:
      'The trial needs a confirmed e-mail address, and the service has no mail server (SMTP_URL) to send the link.',
    remedy: 'Set SMTP_URL and MAIL_FROM, or trialNeedsEmail of the plan to false.',
  },
  () => 'This trial needs a link by mail, and the service has no mail server (SMTP_URL).',
);

export const TrialLinkSpent = defineProblem(
  {
    code: 'trial_link_spent',
    status: 410,
    title: 'This link no longer works',
    cause: 'The link is older than a day, or its trial was deleted.',
    remedy: 'Ask for another link in the extension.',
  },
  () => 'A link works for a day. Ask for another one in the extension.',
);

export const TrialWithdrawn = defineProblem(
  {
    code: 'trial_withdrawn',
    status: 410,
    title: 'There is no trial any more',
    cause: 'The plan stopped offering a trial after the link was mailed.',
    remedy: 'Ask the author of the extension.',
  },
  () => 'The author of the extension no longer offers a trial.',
);

export const TrialNotNeeded = defineProblem(
  {
    code: 'trial_not_needed',
    status: 409,
    title: 'This device has a license',
    cause: 'A code was activated on the device after the link was mailed.',
    remedy: 'Use the license.',
  },
  () => 'A code was activated on this device, so that it needs no trial.',
);
