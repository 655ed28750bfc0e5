import { operatorCommand } from './operator-command.js';

/** Switches passwords off. */
export const disablePasswordLogin = operatorCommand({
  name: 'disable-password-login',
  summary:
    'Switches log-in, sign-up and reset by password off at once, in all processes. Needs OIDC_ISSUER. Sessions continue, and login-link works.',
  example: 'disable-password-login',
  run: (operator) => operator.disablePasswordLogin(),
});
