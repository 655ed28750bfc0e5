import { backupCommand } from './operator-command.js';

/** Makes a backup. */
export const backup = backupCommand({
  name: 'backup',
  summary:
    'Writes a backup of the database and the packages to BACKUP_TO, also while the service runs, and deletes old backups by BACKUP_KEEP. It does not contain the keys: store them elsewhere.',
  example: 'backup',
  run: async (backups) => {
    const { isEncrypted: encrypted, ...made } = await backups.make();
    return { ...made, encrypted };
  },
});
