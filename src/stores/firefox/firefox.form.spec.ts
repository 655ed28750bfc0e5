import { describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { archiveKind, formOf } from './firefox.form.js';

const fileOf = (source: Readable) => ({
  field: 'upload',
  fileName: 'a.zip',
  type: 'application/zip',
  file: { size: 5, open: async () => source },
});

describe('a form', () => {
  it('contains fields and a file, and has the length that it announces', async () => {
    const { headers, body } = await formOf({ channel: 'listed', other: 'ü' }, fileOf(Readable.from(['by', 'tes'])));
    const sent = await text(body);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(sent)));
    const parsed = await new Response(sent, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
    expect([parsed.get('channel'), parsed.get('other')]).toEqual(['listed', 'ü']);
    expect(await (parsed.get('upload') as File).text()).toBe('bytes');
    expect(parsed.get('upload')).toMatchObject({ name: 'a.zip', type: 'application/zip' });
  });

  it('closes its file when it is never read', async () => {
    const source = Readable.from(['bytes']);
    const { body } = await formOf({}, fileOf(source));
    body.destroy();
    await once(body, 'close');
    expect(source.destroyed).toBe(true);
  });

  it('fails when its file fails', async () => {
    const source = new Readable({ read: () => undefined });
    const { body } = await formOf({}, fileOf(source));
    source.destroy(new Error('gone'));
    await expect(text(body)).rejects.toThrow('gone');
  });
});

describe('the type of a source archive', () => {
  it.each([
    ['source.zip', 'application/zip', 'PK\u0003\u0004'],
    ['source.tar.gz', 'application/gzip', '\u001F\u008B\b'],
    ['source.tar.bz2', 'application/x-bzip2', 'BZh9'],
    ['source.zip', 'application/zip', 'anything else'],
    ['source.zip', 'application/zip', ''],
  ])('is %s by its first bytes', async (fileName, type, head) => {
    const source = Readable.from(head === '' ? [] : [Buffer.from(head, 'latin1')]);
    expect(await archiveKind({ open: () => Promise.resolve(source) })).toEqual({ fileName, type });
    expect(source.destroyed).toBe(true);
  });

  it.each([
    ['opened', () => Promise.reject(new Error('gone'))],
    [
      'read',
      () =>
        Promise.resolve(
          new Readable({
            read: (): never => {
              throw new Error('gone');
            },
          }),
        ),
    ],
  ])('is unknown when it cannot be %s', async (_, open) => {
    await expect(archiveKind({ open })).rejects.toMatchObject({ kind: 'retry' });
  });
});
