import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import express, { type Request, type Response } from 'express';
import { Problem } from '../../problems/index.js';
import { readBody, requireUtf8, type BodyReader } from './read-body.js';

const LIMIT = 64;
const READER: BodyReader = {
  limitBytes: LIMIT,
  expected: 'JSON',
  parser: express.json({ limit: LIMIT, type: () => true, strict: false, verify: requireUtf8 }),
};

describe('reading a body', () => {
  let server: Server;
  /** What became of the reading that began last: the body, or the code of the problem. */
  let outcome: Promise<unknown>;
  beforeAll(async () => {
    server = createServer((request, response) => {
      outcome = readBody(READER, request as Request, response as Response).then(
        () => (request as Request).body as unknown,
        (problem: unknown) => (problem instanceof Problem ? `${problem.spec.code}: ${problem.message}` : problem),
      );
      server.emit('reading');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
  );
  afterEach(() => void vi.useRealTimers());

  /** Sends a head and the beginning of a body, and comes back when the body is being read. */
  const begin = async (header: string, start: string): Promise<Socket> => {
    const reading = once(server, 'reading');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${header}\r\n\r\n${start}`);
    await reading;
    return socket;
  };

  it.each([
    ['{"a":1}', { a: 1 }],
    ['\uFEFF{"a":1}', { a: 1 }],
    ['null', null],
  ])('accepts %j, and leaves no timer behind', async (text, value) => {
    const socket = await begin(`content-length: ${Buffer.byteLength(text)}`, text);
    expect(await outcome).toEqual(value);
    expect(vi.getTimerCount()).toBe(0);
    socket.destroy();
  });

  it('accepts a body in pieces', async () => {
    const socket = await begin('transfer-encoding: chunked', '1\r\n{\r\n');
    socket.write('6\r\n"a":1}\r\n0\r\n\r\n');
    expect(await outcome).toEqual({ a: 1 });
    socket.destroy();
  });

  it('waits half a minute for the rest', async () => {
    const socket = await begin('content-length: 10', '{');
    vi.advanceTimersByTime(29_999);
    socket.write('"a":');
    vi.advanceTimersByTime(1);
    expect(await outcome).toMatch(/^invalid_request: .*too long/);
    socket.destroy();
  });

  it('refuses a body that is too long before its end', async () => {
    for (const [header, start] of [
      [`content-length: ${LIMIT + 1}`, ''],
      ['transfer-encoding: chunked', `${(LIMIT + 1).toString(16)}\r\n${' '.repeat(LIMIT + 1)}\r\n`],
    ] as const) {
      const socket = await begin(header, start);
      expect(await outcome).toMatch(/^payload_too_large/);
      socket.destroy();
    }
  });

  it('refuses bytes that are not UTF-8 instead of replacing them', async () => {
    const socket = await begin('content-length: 9', '{"a":"');
    socket.write(Buffer.from([0xff, 0x22, 0x7d]));
    expect(await outcome).toBe('invalid_request: The body is not valid UTF-8.');
    socket.destroy();
  });

  it('refuses a body that is cut short', async () => {
    const socket = await begin('content-length: 10', '{');
    socket.destroy();
    expect(await outcome).toMatch(/^invalid_request: .*cut short/);
  });
});
