import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { StoreFailure } from '../failures/index.js';
import { pageOf } from './safari.documents.js';
import { fileNameOf, planUpload, uploadFileOf, uploadsOf, uploadStateOf, type BuildUpload } from './safari.uploads.js';

const SHA256 = 'ab'.repeat(32);
const OWN = { name: fileNameOf('MAC_OS', SHA256), size: 10, number: '27', version: '1.4.0' };
const OWN_FILE = { id: 'f', name: OWN.name, size: 10 };

const upload = (id: string, state: string, file: BuildUpload['file'] = null): BuildUpload => ({
  id,
  number: '27',
  state,
  errors: '',
  file,
});

describe('an upload', () => {
  it.each<[string, readonly BuildUpload[], boolean, string | null]>([
    ['is begun where there is none', [], false, null],
    ['goes on with its own', [upload('1', 'AWAITING_UPLOAD', OWN_FILE)], false, '1'],
    ['goes on with one that has no file yet', [upload('1', 'AWAITING_UPLOAD')], false, '1'],
    [
      'is begun beside one with another file',
      [upload('1', 'AWAITING_UPLOAD', { ...OWN_FILE, name: 'x' })],
      false,
      null,
    ],
    [
      'is begun beside one with a file of another size',
      [upload('1', 'AWAITING_UPLOAD', { ...OWN_FILE, size: 9 })],
      false,
      null,
    ],
    ['is begun again after one that failed', [upload('1', 'FAILED', OWN_FILE)], false, null],
  ])('%s', (_, uploads, hasBuild, id) => {
    const plan = planUpload(uploads, OWN, hasBuild);
    expect(plan.do === 'send' ? (plan.upload?.id ?? null) : plan).toBe(id);
  });

  it.each(['PROCESSING', 'COMPLETE', 'PONDERED'])(
    'of its own that is %s is followed, whatever builds there are',
    (state) => {
      for (const hasBuild of [true, false])
        expect(planUpload([upload('2', 'AWAITING_UPLOAD'), upload('1', state, OWN_FILE)], OWN, hasBuild)).toMatchObject(
          {
            do: 'follow',
            upload: { id: '1' },
          },
        );
    },
  );

  it.each<[string, readonly BuildUpload[], boolean]>([
    ['a build', [], true],
    ['another upload', [upload('1', 'COMPLETE', { ...OWN_FILE, name: 'x' })], false],
    ['an upload of which nothing is known', [upload('1', 'PROCESSING')], false],
  ])('is refused where %s has its number', (_, uploads, hasBuild) => {
    expect(() => planUpload(uploads, OWN, hasBuild)).toThrow(
      expect.objectContaining({ kind: 'artifact', message: expect.stringContaining('with a higher build number') }),
    );
  });

  it('is read from any answer', () => {
    const state = { state: 'FAILED', errors: [{ code: '9', description: 'No icon' }, { code: '8' }, null, 'x'] };
    const data = { type: 'buildUploads', id: '1', attributes: { cfBundleVersion: '27', state } };
    expect(uploadsOf(pageOf({ data }))).toEqual([
      { id: '1', number: '27', state: 'FAILED', errors: 'No icon (9). 8.', file: null },
    ]);
    expect(uploadsOf(pageOf({ data: { type: 'buildUploads', id: '1' } }))).toMatchObject([{ errors: '' }]);
    fc.assert(fc.property(fc.jsonValue(), (json) => Array.isArray(uploadsOf(pageOf(json)))));
  });

  it.each([
    ['AWAITING_UPLOAD', 'none'],
    ['PROCESSING', 'processing'],
    ['FAILED', 'failed'],
    ['COMPLETE', 'ready'],
    ['PONDERED', undefined],
  ])('that is %s is %s', (state, expected) => expect(uploadStateOf(upload('1', state))).toBe(expected));
});

describe('the parts of a file', () => {
  const fileOf = (uploadOperations: unknown, size = 10) =>
    uploadFileOf({ type: 'buildUploadFiles', id: 'f', attributes: { uploadOperations }, related: () => null }, size);

  it('keep the headers that Apple gives, but those of the connection', () => {
    const requestHeaders = [
      { name: 'Content-Type', value: 'a/b' },
      { name: 'Host', value: 'other' },
      { name: 'content-length', value: '5' },
      { name: 'X-A' },
      null,
    ];
    const expiration = '2026-11-28T08:00:00Z';
    const [part] = fileOf([
      { method: 'PUT', url: 'https://a', offset: 0, length: 10, requestHeaders, expiration },
    ]).parts;
    expect(part).toEqual({
      number: '1',
      method: 'PUT',
      url: 'https://a',
      headers: { 'Content-Type': 'a/b' },
      offset: 0,
      length: 10,
    });
  });

  it('may be none, once they were sent', () => {
    expect(fileOf([])).toMatchObject({ parts: [], expiresAt: null });
    expect(fileOf(undefined)).toMatchObject({ parts: [] });
  });

  it('are every byte once, in any order, or refused', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 8 });
    fc.assert(
      fc.property(cuts, fc.integer({ min: 0, max: 8 }), fc.integer({ min: -1, max: 1 }), (at, which, shift) => {
        const ends = [...at.toSorted((one, other) => one - other), 100];
        const parts = ends.map((end, index) => ({
          offset: ends[index - 1] ?? 0,
          length: end - (ends[index - 1] ?? 0),
        }));
        expect(fileOf(parts.toReversed(), 100).parts).toHaveLength(parts.length);
        const wrong = parts.map((part, index) =>
          index === which % parts.length ? { ...part, length: part.length + shift } : part,
        );
        if (shift !== 0) expect(() => fileOf(wrong, 100)).toThrow(StoreFailure);
      }),
    );
  });

  it('are refused in any other form', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), (operations) => {
        expect(() => fileOf(operations)).toThrow(StoreFailure);
      }),
    );
  });
});
