import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InvalidRequest, PayloadTooLarge } from '../problems/index.js';
import { JSON_LIMIT_BYTES, readJson } from './whole-json.js';

const request = (): PassThrough & IncomingMessage =>
  Object.assign(new PassThrough(), { headers: {} }) as PassThrough & IncomingMessage;

describe('the reader of JSON bodies', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => void jest.useRealTimers());

  it.each([
    ['{"a":1}', { a: 1 }],
    ['\uFEFF{"a":1}', { a: 1 }],
    ['', {}],
    ['null', null],
  ])('reads %j', async (text, value) => {
    const body = request();
    const read = readJson(body);
    body.end(text);
    expect(await read).toEqual(value);
  });

  it('reads what came together with its head, and lets its request end', async () => {
    const body = Object.assign(request(), { headers: { 'content-length': '7' } });
    const ended = new Promise((resolve) => void body.once('end', resolve));
    body.end('{"a":1}');
    expect(await readJson(body)).toEqual({ a: 1 });
    await ended;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('waits half a minute for the rest, and no longer', async () => {
    const body = request();
    const read = readJson(body);
    body.write('{');
    const outcome = read.catch((problem: unknown) => problem);
    await new Promise(setImmediate);
    jest.advanceTimersByTime(29_999);
    body.write('"a":1');
    jest.advanceTimersByTime(1);
    expect(await outcome).toMatchObject({ message: expect.stringContaining('took too long') });
  });

  it('leaves no timer behind', async () => {
    const body = request();
    const read = readJson(body);
    const closed = new Promise((resolve) => void body.once('close', resolve));
    body.end('{}');
    await read;
    await closed;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('refuses what is cut short, and what is too long', async () => {
    const cut = request();
    const short = readJson(cut);
    cut.write('{');
    cut.destroy(new Error('aborted'));
    await expect(short).rejects.toBeInstanceOf(InvalidRequest);
    const long = request();
    const read = readJson(long);
    long.end(Buffer.alloc(JSON_LIMIT_BYTES + 1, 32));
    await expect(read).rejects.toBeInstanceOf(PayloadTooLarge);
  });
});
