import { backupCommand } from './operator-command.js';

/** Lists backups. */
export const backups = backupCommand({
  name: 'backups',
  summary: 'Lists the backups that BACKUP_TO holds, newest first.',
  example: 'backups',
  run: async (service) =>
    (await service.list()).map(({ name, createdAt }) => ({ name, created: createdAt.toISOString() })),
});
