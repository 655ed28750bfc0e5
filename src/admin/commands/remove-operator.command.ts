import { operatorCommand } from './operator-command.js';

/** Makes a user no operator any more. */
export const removeOperator = operatorCommand({
  name: 'remove-operator',
  summary: 'Takes make-operator back.',
  example: 'remove-operator ann@example.com',
  takes: { email: 'e-mail address of the user' },
  run: (operator, [email = '']) => operator.removeOperator(email),
});
