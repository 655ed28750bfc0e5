import { operatorCommand } from './operator-command.js';

/** Makes a log-in link. */
export const loginLink = operatorCommand({
  name: 'login-link',
  summary:
    'Prints a link that logs a user in once, within 15 minutes, without a password or the identity provider. Give it to that user only.',
  example: 'login-link ann@example.com',
  takes: { email: 'e-mail address of the user' },
  run: (operator, [email = '']) => operator.loginLink(email),
});
