import { operatorCommand } from './operator-command.js';

/** Makes a user an operator. */
export const makeOperator = operatorCommand({
  name: 'make-operator',
  summary: 'Makes a user an operator, who sees the status of this instance and all tenants in the console.',
  example: 'make-operator ann@example.com',
  takes: { email: 'e-mail address of the user' },
  run: (operator, [email = '']) => operator.makeOperator(email),
});
