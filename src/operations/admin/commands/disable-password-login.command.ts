import { operatorCommand } from './operator-command.js';

/** Disables passwords. */
export const disablePasswordLogin = operatorCommand({
  name: 'disable-password-login',
  summary:
    'Disables log-in, sign-up and reset by password immediately, in all processes. Needs OIDC_ISSUER. Sessions continue, and login-link still works.',
  example: 'disable-password-login',
  run: (operator) => operator.disablePasswordLogin(),
});
