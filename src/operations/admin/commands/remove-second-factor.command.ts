import { operatorCommand } from './operator-command.js';

/** Removes a second factor that was lost. */
export const removeSecondFactor = operatorCommand({
  name: 'remove-second-factor',
  summary:
    "Removes a user's second factor with its recovery codes, and ends the user's sessions. For a user who has lost the phone and the recovery codes.",
  example: 'remove-second-factor ann@example.com',
  takes: { email: 'e-mail address of the user' },
  run: (operator, [email = '']) => operator.removeSecondFactor(email),
});
