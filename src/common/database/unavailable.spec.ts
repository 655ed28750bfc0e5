import { describe, expect, it } from 'vitest';
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { isUnavailable } from './unavailable.js';

const failure = (message: string, members: object = {}): Error => Object.assign(new Error(message), members);

describe('a statement that failed', () => {
  it.each([
    ['a lock that was held too long', failure('canceling statement due to lock timeout', { code: '55P03' })],
    ['a statement that took too long', failure('canceling statement due to statement timeout', { code: '57014' })],
    ['a server that stops', failure('terminating connection', { code: '57P01' })],
    ['a server that starts', failure('the database system is starting up', { code: '57P03' })],
    ['too many connections', failure('sorry, too many clients already', { code: '53300' })],
    ['a full disk', failure('could not extend file', { code: '53100' })],
    ['a lost connection', failure('connection failure', { code: '08006' })],
    ['a deadlock each time', failure('deadlock detected', { code: '40P01' })],
    ['no server', failure('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED', syscall: 'connect' })],
    ['no socket', failure('connect ENOENT /run/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' })],
    ['a name that is not known yet', failure('getaddrinfo ENOTFOUND postgres', { code: 'ENOTFOUND' })],
    ['a host out of reach', failure('connect EHOSTUNREACH', { code: 'EHOSTUNREACH' })],
    ['a database closed to all', failure('database is not currently accepting connections', { code: '55000' })],
    ['a standby', failure('cannot execute UPDATE in a read-only transaction', { code: '25006' })],
    ['a reset', failure('read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' })],
    ['a server that went away', failure('Connection terminated unexpectedly')],
    ['no free connection in time', failure('timeout exceeded when trying to connect')],
    ['a connection lost between two statements', new QueryRunnerProviderAlreadyReleasedError()],
    ['a connection lost before a commit', new QueryRunnerAlreadyReleasedError()],
    ['a closed connection', failure('Client was closed and is not queryable')],
    ['TypeORM says so', new QueryFailedError('select', [], failure('canceling', { code: '57014' }))],
  ])('for %s may succeed later', (_, thrown) => {
    expect(isUnavailable(thrown)).toBe(true);
  });

  it.each([
    ['a constraint', failure('duplicate key', { code: '23505' })],
    ['its data', failure('invalid input syntax', { code: '22P02' })],
    ['its text', failure('syntax error', { code: '42601' })],
    ['a missing function', failure('function does not exist', { code: '42883' })],
    ['a file that is missing', failure('ENOENT: no such file', { code: 'ENOENT', syscall: 'open' })],
    ['any other reason', failure('Connection is not what this is about')],
    ['a constraint, says TypeORM', new QueryFailedError('insert', [], failure('duplicate', { code: '23505' }))],
    ['nothing', null],
    ['no error', { code: '57014' }],
    ['text', '57014'],
  ])('for %s will fail again', (_, thrown) => {
    expect(isUnavailable(thrown)).toBe(false);
  });
});
