import { operatorCommand } from './operator-command.js';

/** Takes `disable-password-login` back. */
export const enablePasswordLogin = operatorCommand({
  name: 'enable-password-login',
  summary: 'Takes disable-password-login back. PASSWORD_LOGIN=off still applies where it is set.',
  example: 'enable-password-login',
  run: (operator) => operator.enablePasswordLogin(),
});
