import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { InvalidManifest } from './archive-errors.js';
import { findMessage, type PackageManifest, parseManifest } from './manifest.js';

const BASE = { manifest_version: 3, name: 'Harbour', version: '1.0' };

function read(changes: object): PackageManifest {
  return parseManifest(JSON.stringify({ ...BASE, ...changes })).manifest;
}

describe('a manifest', () => {
  it('of version 3 is read whole', () => {
    const text = JSON.stringify({
      ...BASE,
      version: '1.2.3.4',
      version_name: '1.2 beta',
      permissions: ['storage', 'tabs', 'storage'],
      host_permissions: ['https://a.example/*', 'https://b.example/*'],
      content_scripts: [{ matches: ['https://b.example/*', '*://c.example/*'], js: ['c.js'] }, { matches: [] }],
      optional_permissions: ['history'],
      optional_host_permissions: ['<all_urls>'],
      browser_specific_settings: { gecko: { id: 'harbour@example.org' } },
      default_locale: 'en',
    });
    expect(parseManifest(text)).toEqual({
      manifest: {
        name: 'Harbour',
        version: '1.2.3.4',
        versionName: '1.2 beta',
        manifestVersion: 3,
        permissions: ['storage', 'tabs'],
        hostPermissions: ['https://a.example/*', 'https://b.example/*', '*://c.example/*'],
        optionalPermissions: ['history', '<all_urls>'],
        grantingKeys: [],
        geckoId: 'harbour@example.org',
      },
      defaultLocale: 'en',
    });
  });

  it('of version 2 names its hosts among its permissions', () => {
    const permissions = ['tabs', '<all_urls>', 'https://a.example/*'];
    expect(read({ manifest_version: 2, permissions, host_permissions: ['https://ignored.example/*'] })).toMatchObject({
      manifestVersion: 2,
      permissions: ['tabs'],
      hostPermissions: ['<all_urls>', 'https://a.example/*'],
    });
  });

  it('names a permission with parameters by its key', () => {
    const permissions = ['tabs', { usbDevices: [{ vendorId: 1, productId: 2 }] }];
    expect(read({ permissions }).permissions).toEqual(['tabs', 'usbDevices']);
  });

  it.each([
    [{ devtools_page: 'devtools.html' }, ['devtools_page']],
    [{ chrome_url_overrides: { newtab: 'tab.html', history: 'h.html' } }, ['chrome_url_overrides.newtab']],
    [{ chrome_url_overrides: { history: 'h.html' } }, []],
    [{ devtools_page: null, chrome_url_overrides: 'tab.html' }, []],
  ])('says which of its keys users are asked about: %j', (changes, keys) => {
    expect(read(changes).grantingKeys).toEqual(keys);
  });

  it.each([
    [
      { browser_specific_settings: { gecko: { id: '{3c6bf0cc-3ae2-42fb-9993-0d33104fdcaf}' } } },
      '{3c6bf0cc-3ae2-42fb-9993-0d33104fdcaf}',
    ],
    [{ applications: { gecko: { id: 'old@example.org' } } }, 'old@example.org'],
    [
      { browser_specific_settings: { gecko: {} }, applications: { gecko: { id: 'old@example.org' } } },
      'old@example.org',
    ],
    [{ browser_specific_settings: { safari: {} } }, null],
    [{ browser_specific_settings: { gecko: { id: '' } } }, null],
    [{}, null],
  ])('says who it is for Firefox: %j', (changes, geckoId) => {
    expect(read(changes).geckoId).toBe(geckoId);
  });

  it('may hold keys that mean something to JavaScript', () => {
    const text = `{ "__proto__": { "permissions": ["evil"] }, "constructor": 1, "name": "toString", "version": "1", "manifest_version": 3 }`;
    expect(parseManifest(text).manifest).toMatchObject({ name: 'toString', permissions: [] });
    expect(() => parseManifest(`{ "__proto__": ${JSON.stringify(BASE)} }`)).toThrow(InvalidManifest);
  });

  it.each<[string, object | string, string]>([
    ['no object', '[]', 'manifest.json must be a JSON object.'],
    ['null', 'null', 'manifest.json must be a JSON object.'],
    ['no manifest_version', { manifest_version: undefined }, 'manifest_version must be the number 2 or 3.'],
    ['manifest_version 1', { manifest_version: 1 }, 'manifest_version must be the number 2 or 3.'],
    ['manifest_version "3"', { manifest_version: '3' }, 'manifest_version must be the number 2 or 3.'],
    ['no name', { name: undefined }, 'manifest.json has no name.'],
    ['a blank name', { name: '  ' }, 'manifest.json has no name.'],
    ['a name that is no text', { name: 5 }, 'manifest.json: name must be a string.'],
    ['a name without end', { name: 'a'.repeat(2001) }, 'manifest.json: name is longer than 2000 characters.'],
    ['a NUL in its name', { name: 'a\0' }, 'manifest.json: name contains a character that is not text.'],
    [
      'half a character',
      '{"manifest_version":3,"version":"1","name":"\\ud83d"}',
      'name contains a character that is not text.',
    ],
    ['no version', { version: undefined }, 'manifest.json has no version.'],
    ['a version that is a number', { version: 1.2 }, 'manifest.json: version must be a string.'],
    [
      'five numbers',
      { version: '1.2.3.4.5' },
      'version "1.2.3.4.5" is not 1 to 4 numbers of up to nine digits, separated by dots',
    ],
    ['a leading zero', { version: '1.02' }, 'version "1.02" is not 1 to 4 numbers'],
    ['a beta', { version: '1.0b1' }, 'version "1.0b1" is not 1 to 4 numbers'],
    ['a version_name that is no text', { version_name: {} }, 'manifest.json: version_name must be a string.'],
    ['permissions that are no list', { permissions: 'tabs' }, 'manifest.json: permissions must be a list.'],
    [
      'a permission that is no text',
      { permissions: ['tabs', 1] },
      'manifest.json: permissions[1] must be a string, or an object with one key.',
    ],
    [
      'a permission with two names',
      { permissions: [{ usbDevices: [], a: 1 }] },
      'manifest.json: permissions[0] must be a string, or an object with one key.',
    ],
    ['permissions null', { permissions: null }, 'manifest.json: permissions must be a list.'],
    ['too many permissions', { permissions: Array(10_001).fill('a') }, 'permissions has 10001 items; at most 10000'],
    ['hosts that are no list', { host_permissions: {} }, 'manifest.json: host_permissions must be a list.'],
    ['optional hosts that are no list', { optional_host_permissions: 1 }, 'optional_host_permissions must be a list.'],
    ['content scripts that are no list', { content_scripts: {} }, 'manifest.json: content_scripts must be a list.'],
    ['a content script that is no object', { content_scripts: ['a'] }, 'content_scripts[0] must be an object.'],
    ['a content script without matches', { content_scripts: [{}] }, 'content_scripts[0] has no matches.'],
    [
      'a match that is no text',
      { content_scripts: [{ matches: [1] }] },
      'content_scripts[0].matches[0] must be a string.',
    ],
    ['settings that are no object', { browser_specific_settings: [] }, 'browser_specific_settings must be an object.'],
    ['gecko that is no object', { applications: { gecko: 'a@b' } }, 'applications.gecko must be an object.'],
    ['an id that is no text', { applications: { gecko: { id: 5 } } }, 'applications.gecko.id must be a string.'],
    ['a language that is no text', { default_locale: ['en'] }, 'manifest.json: default_locale must be a string.'],
  ])('is refused for %s', (_case, changes, sentence) => {
    const text = typeof changes === 'string' ? changes : JSON.stringify({ ...BASE, ...changes });
    expect(() => parseManifest(text)).toThrow(InvalidManifest);
    expect(() => parseManifest(text)).toThrow(sentence);
  });

  it('is read or refused, whatever its members hold', () => {
    const keys = [
      'permissions',
      'host_permissions',
      'content_scripts',
      'browser_specific_settings',
      'version_name',
      'name',
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys, '__proto__'), fc.jsonValue()), (changes) => {
        try {
          expect(typeof read(changes).name).toBe('string');
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidManifest);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a message', () => {
  it.each([
    ['{ "a": { "message": "A" } }', 'A'],
    ['{ "A": { "message": "A" } }', 'A'],
    ['{ "b": { "message": "B" } }', null],
    ['{ "a": { "message": " " } }', null],
    ['{ "a": { "message": 1 } }', null],
    ['{ "a": "A" }', null],
    ['[]', null],
  ])('is found in %s', (text, message) => {
    expect(findMessage(text, 'messages.json', 'a')).toBe(message);
  });
});
