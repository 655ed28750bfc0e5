/** Backups of everything but the keys: written while the service runs, encrypted if wished, and restored or checked by a command. */
export { BackupModule } from './backup.module.js';
export { BackupsService } from './backups.service.js';
export { BackupFault } from './manifest.js';
export { restoreBackup, type RestoredBackup } from './restore-backup.js';
