import { backupCommand } from './operator-command.js';

/** Makes a backup. */
export const backup = backupCommand({
  name: 'backup',
  summary:
    'Makes a backup of the database and the packages where BACKUP_TO says, also while the service runs, and deletes those that BACKUP_KEEP no longer keeps. The keys are not in it: store them elsewhere.',
  example: 'backup',
  run: async (backups) => {
    const { isEncrypted: encrypted, ...made } = await backups.make();
    return { ...made, encrypted };
  },
});
