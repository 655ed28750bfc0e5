// The programs of Debian that the chaos is made with.
import { existsSync } from 'node:fs';

export const HAPROXY = '/usr/sbin/haproxy';
export const REDIS = '/usr/bin/redis-server';

/** @returns {string[]} which are not installed */
export const missingPrograms = () =>
  [HAPROXY, REDIS, '/usr/lib/postgresql/15/bin/pg_basebackup'].filter((path) => !existsSync(path));
