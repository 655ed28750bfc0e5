import { operatorCommand } from './operator-command.js';
import { readPassword } from '../read-password.js';

/** Sets a user's password. */
export const resetPassword = operatorCommand({
  name: 'reset-password',
  summary:
    "Sets a user's password, which it asks for or reads from standard input, and ends the user's sessions. For a link instead, see login-link.",
  example: 'reset-password ann@example.com < new-password.txt',
  takes: { email: 'e-mail address of the user' },
  prepare: readPassword,
  run: (operator, [email = ''], password) => operator.resetPassword(email, password),
});
