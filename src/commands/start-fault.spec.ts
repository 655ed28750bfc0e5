import { describe, expect, it } from 'vitest';
import { ConfigFault } from '../common/config/index.js';
import { DataDirInUse, MigrationsFailed, NewerSchema, OtherEngine } from '../common/database/index.js';
import { startFault } from './start-fault.js';

const failure = (message: string, more: object = {}): Error => Object.assign(new Error(message), more);
const refusal = (code: string, message: string): Error => failure(message, { code, severity: 'FATAL' });

describe('a failed start', () => {
  it.each<[string, unknown, number, string]>([
    ['its configuration', new ConfigFault(['PORT must be a number.']), 78, 'PORT must be a number.'],
    ['a newer schema', new NewerSchema(['Next1'], '1.2.0'), 78, 'does not know Next1. Start the newer version'],
    [
      'a folder of another PostgreSQL',
      new OtherEngine('/data', '17'),
      78,
      '/data has an embedded database of PostgreSQL 17',
    ],
    ['locked tables', new MigrationsFailed('Nothing was changed.'), 1, 'Nothing was changed.'],
    ['a folder in use', new DataDirInUse('/data is in use by process 1.'), 78, '/data is in use by process 1.'],
    [
      'a port in use',
      failure('listen EADDRINUSE', { code: 'EADDRINUSE', syscall: 'listen', address: '::1', port: 80 }),
      1,
      'Port 80 of ::1 is in use.',
    ],
    [
      'a port for the superuser',
      failure('listen EACCES', { code: 'EACCES', syscall: 'listen', address: '::1', port: 80 }),
      78,
      'may not listen on port 80',
    ],
    [
      'an address of another machine',
      failure('listen', { code: 'EADDRNOTAVAIL', syscall: 'listen', address: '10.1.1.1', port: 80 }),
      78,
      '10.1.1.1 is not.',
    ],
    [
      'a name of no machine',
      failure('getaddrinfo', { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere' }),
      78,
      'HOST must be an address of this machine. nowhere is unknown here.',
    ],
    [
      'a folder that it may not write to',
      failure('mkdir', { code: 'EACCES', syscall: 'mkdir', path: '/var/data' }),
      78,
      'DATA_DIR must be a folder that this user can write to. Writing failed at /var/data (EACCES).',
    ],
    ['a folder to be read only', failure('open', { code: 'EROFS', syscall: 'open', path: '/r' }), 78, 'at /r (EROFS)'],
    [
      'a file for a folder',
      failure('mkdir', { code: 'EEXIST', syscall: 'mkdir', path: '/f' }),
      78,
      'exists at /f (EEXIST)',
    ],
    ['a folder in a file', failure('mkdir', { code: 'ENOTDIR', syscall: 'mkdir', path: '/f/g' }), 78, 'exists at /f/g'],
    ['a full disk', failure('write', { code: 'ENOSPC', syscall: 'write' }), 1, 'The disk is full. DATA_DIR'],
    [
      'a pooler that takes no time limits',
      refusal('08P01', 'unsupported startup parameter: statement_timeout'),
      78,
      'Append ?pgbouncer=true to it',
    ],
    [
      'a full disk, as PostgreSQL says it',
      refusal('53100', 'could not extend file "base/5/1": No space left on device'),
      1,
      'PostgreSQL has no space left: could not extend',
    ],
    [
      'a database that is not there',
      failure('connect', { code: 'ECONNREFUSED', syscall: 'connect', address: '::1', port: 5432 }),
      1,
      'PostgreSQL at DATABASE_URL cannot be reached: ECONNREFUSED at ::1:5432.',
    ],
    [
      'a database at two addresses, and at none of them',
      Object.assign(
        new AggregateError([
          failure('connect', { code: 'ECONNREFUSED', syscall: 'connect', address: '::1', port: 5432 }),
          failure('connect', { code: 'ECONNREFUSED', syscall: 'connect', address: '127.0.0.1', port: 5432 }),
        ]),
        { code: 'ECONNREFUSED' },
      ),
      1,
      'ECONNREFUSED at ::1:5432.',
    ],
    [
      'a database on a machine that nobody knows',
      failure('getaddrinfo', { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'db.example' }),
      1,
      'cannot be reached: ENOTFOUND at db.example.',
    ],
    ['a database that is silent', failure('Connection terminated due to connection timeout'), 1, 'does not answer'],
    ['a wrong password', refusal('28P01', 'password authentication failed for user "owl"'), 78, 'user "owl".'],
    ['no such database', refusal('3D000', 'database "owl" does not exist'), 78, 'database "owl" does not exist.'],
    ['no right to make tables', refusal('42501', 'permission denied for schema public'), 78, 'permission denied'],
    ['too many connections', refusal('53300', 'sorry, too many clients already'), 1, 'accepts no connections now'],
    ['a database that starts', refusal('57P03', 'the database system is starting up'), 1, 'starting up.'],
  ])('is described in a sentence: %s', (_, error, exitCode, words) => {
    const fault = startFault(error, 'nowhere');
    expect(fault).toMatchObject({ exitCode, sentence: expect.stringContaining(words) });
    expect(fault?.sentence).not.toMatch(/\n\s+at /);
  });

  it.each<[string, unknown]>([
    ['a fault of ours', new TypeError('x is not a function')],
    ['a migration that fails', refusal('42703', 'column "x" does not exist')],
    ['a module that is missing', failure('Cannot find module', { code: 'ERR_MODULE_NOT_FOUND' })],
    ['a file that is missing', failure('open', { code: 'ENOENT', syscall: 'open', path: '/f' })],
    ['something that is no error', 'x'],
  ])('prints its stack: %s', (_, error) => {
    expect(startFault(error, 'nowhere')).toBeNull();
  });
});
