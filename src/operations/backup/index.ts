/** Backups of everything except the keys: made while the service runs, optionally encrypted, and restored or checked by a command. */
export { ACCEPT_UNAUTHENTICATED } from './backup-archive.js';
export { BackupModule, BackupScheduleModule } from './backup.module.js';
export { BackupRunsService } from './backup-runs.service.js';
export type { BackupStatus } from './backup-status.js';
export { BackupFault } from './manifest.js';
export { restoreBackup, type RestoredBackup } from './restore-backup.js';
