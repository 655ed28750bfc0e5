import { operatorCommand } from './operator-command.js';

/** Makes a user an owner. */
export const makeOwner = operatorCommand({
  name: 'make-owner',
  summary: 'Makes a user an owner of a tenant, whether the user is a member already or not.',
  example: "make-owner ann@example.com 'Studio Ann'",
  takes: { email: 'e-mail address of the user', tenant: 'id of the tenant, or its name if no other tenant has it' },
  run: (operator, [email = '', tenant = '']) => operator.makeOwner(email, tenant),
});
