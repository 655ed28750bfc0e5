import { operatorCommand } from './operator-command.js';

/** Makes a log-in link. */
export const loginLink = operatorCommand({
  name: 'login-link',
  summary:
    'Prints a link by which a user logs in once, within 15 minutes, without a password and without the identity provider. Hand it to the user only.',
  example: 'login-link ann@example.com',
  takes: { email: 'e-mail address of the user' },
  run: (operator, [email = '']) => operator.loginLink(email),
});
