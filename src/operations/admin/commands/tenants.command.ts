import { operatorCommand } from './operator-command.js';

/** Lists tenants. */
export const tenants = operatorCommand({
  name: 'tenants',
  summary: 'Lists all tenants with their quota and owners.',
  example: 'tenants --json',
  run: (operator) => operator.tenants(),
});
