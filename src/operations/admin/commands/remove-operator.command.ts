import { operatorCommand } from './operator-command.js';

/** Makes a user an ordinary user again. */
export const removeOperator = operatorCommand({
  name: 'remove-operator',
  summary: 'Makes an operator an ordinary user again.',
  example: 'remove-operator ann@example.com',
  takes: { email: 'e-mail address of the user' },
  run: (operator, [email = '']) => operator.removeOperator(email),
});
