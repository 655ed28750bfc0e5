import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InvalidRequest } from '../common/problems/index.js';
import { receiveBody } from './receive-body.js';

const request = (): PassThrough & IncomingMessage =>
  Object.assign(new PassThrough(), { headers: {} }) as PassThrough & IncomingMessage;

describe('the bytes of a notification', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => void jest.useRealTimers());

  it('are read as they came, and leave no timer behind', async () => {
    const sent = request();
    const read = receiveBody(sent);
    sent.write('{"a"');
    sent.end(': 1}');
    expect((await read).toString()).toBe('{"a": 1}');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are waited for half a minute, and no longer', async () => {
    const sent = request();
    const outcome = receiveBody(sent).catch((problem: unknown) => problem);
    sent.write('{');
    await new Promise(setImmediate);
    jest.advanceTimersByTime(30_000);
    expect(await outcome).toBeInstanceOf(InvalidRequest);
  });
});
