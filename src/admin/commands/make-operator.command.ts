import { operatorCommand } from './operator-command.js';

/** Makes a user an operator. */
export const makeOperator = operatorCommand({
  name: 'make-operator',
  summary: 'Makes a user an operator, who sees in the console how this instance fares, and all tenants.',
  example: 'make-operator ann@example.com',
  takes: { email: 'e-mail address of the user' },
  run: (operator, [email = '']) => operator.makeOperator(email),
});
