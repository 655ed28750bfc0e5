import { operatorCommand } from './operator-command.js';

/** Enables passwords again. */
export const enablePasswordLogin = operatorCommand({
  name: 'enable-password-login',
  summary: 'Reverts disable-password-login. PASSWORD_LOGIN=off still applies where it is set.',
  example: 'enable-password-login',
  run: (operator) => operator.enablePasswordLogin(),
});
