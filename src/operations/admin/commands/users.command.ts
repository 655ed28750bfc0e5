import { operatorCommand } from './operator-command.js';

/** Lists users. */
export const users = operatorCommand({
  name: 'users',
  summary: 'Lists all users: their tenants with the role in each, and how they can log in.',
  example: 'users',
  run: (operator) => operator.users(),
});
