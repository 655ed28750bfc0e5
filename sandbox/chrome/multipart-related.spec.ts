import { describe, expect, it } from 'vitest';
import { relatedMedia } from './multipart-related.js';

const MEDIA = 'PK\r\n--almost\r\n\r\nbytes';
const BODY =
  `--edge\r\nContent-Type: application/json\r\n\r\n{}\r\n` +
  `--edge\r\nContent-Type: application/zip\r\n\r\n${MEDIA}\r\n--edge--\r\n`;

async function mediaOf(body: string, chunkSize: number): Promise<string> {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < body.length; at += chunkSize) yield Buffer.from(body.slice(at, at + chunkSize));
  }
  const parts: Buffer[] = [];
  for await (const part of relatedMedia(chunks(), 'edge')) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('the media part of a multipart/related body', () => {
  it.each([1, 2, 3, 7, 64, 1024])('is found whole in chunks of %i bytes', async (chunkSize) => {
    expect(await mediaOf(BODY, chunkSize)).toBe(MEDIA);
  });

  it('is refused when the body ends too early', async () => {
    await expect(mediaOf(BODY.slice(0, -12), 5)).rejects.toThrow(/too early/);
  });
});
