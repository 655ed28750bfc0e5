import { describe, expect, it } from 'vitest';
import { HostAccess, opensAllSites, opensSites } from './host-access.js';

describe('access to hosts', () => {
  it.each([
    ['itself', ['https://a.example/*'], 'https://a.example/*'],
    ['any path of a host', ['https://a.example/one/*'], 'https://a.example/two'],
    ['any letter case', ['https://A.example/*'], 'HTTPS://a.example/*'],
    ['every site by <all_urls>', ['<all_urls>'], '*://*/*'],
    ['every file by <all_urls>', ['<all_urls>'], 'file:///*'],
    ['every host of a scheme', ['https://*/*'], 'https://a.example/*'],
    ['both schemes by *', ['*://a.example/*'], 'https://a.example/*'],
    ['web sockets by *', ['*://a.example/*'], 'wss://a.example/*'],
    ['* by both schemes', ['http://a.example/*', 'https://a.example/*'], '*://a.example/*'],
    ['subdomains', ['*://*.a.example/*'], 'https://b.a.example/*'],
    ['deep subdomains', ['*://*.a.example/*'], 'https://*.c.b.a.example/*'],
    ['the domain of its subdomains', ['*://*.a.example/*'], 'https://a.example/*'],
    ['a port', ['http://localhost:3000/*'], 'http://localhost:3000/x'],
    ['files', ['file:///*'], 'file:///home/*'],
    ['what it cannot read, word by word', ['nonsense'], 'nonsense'],
  ])('covers %s', (_case, held, asked) => {
    expect(new HostAccess(held).covers(asked)).toBe(true);
  });

  it.each([
    ['anything from nothing', [], 'https://a.example/*'],
    ['another host', ['https://a.example/*'], 'https://b.example/*'],
    ['another scheme', ['http://a.example/*'], 'https://a.example/*'],
    ['both schemes from one', ['https://a.example/*'], '*://a.example/*'],
    ['subdomains from the domain', ['https://a.example/*'], 'https://*.a.example/*'],
    ['the domain from a subdomain', ['https://*.b.a.example/*'], 'https://a.example/*'],
    ['a name that only ends alike', ['https://*.a.example/*'], 'https://ba.example/*'],
    ['every host from many', ['https://a.example/*', 'https://*.example/*'], 'https://*/*'],
    ['<all_urls> from *', ['*://*/*'], '<all_urls>'],
    ['files from *', ['*://*/*'], 'file:///*'],
    ['what it cannot read', ['https://*/*'], 'https://'.padEnd(500, 'a')],
  ])('does not cover %s', (_case, held, asked) => {
    expect(new HostAccess(held).covers(asked)).toBe(false);
  });

  it('is judged at once for thousands of patterns', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => `https://${i}.example/*`);
    const access = new HostAccess(many);
    expect(many.every((each) => access.covers(each.replace('/*', '/x')))).toBe(true);
  });
});

describe('a pattern', () => {
  it.each([
    '<all_urls>',
    '*://*/*',
    'ftp://*/*',
    'https://*:8080/x',
    'https://*.com/*',
    'http://*.co.uk/*',
    '*://*.com:80/*',
  ])('%s opens every site', (pattern) => {
    expect(opensAllSites(pattern)).toBe(true);
    expect(opensSites(pattern)).toBe(true);
  });

  it.each(['https://example.com/*', 'https://com/*', '*://*.github.io/*', 'https://*.unknowntld/*', 'https://*.ck/*'])(
    '%s opens some',
    (pattern) => {
      expect(opensAllSites(pattern)).toBe(false);
      expect(opensSites(pattern)).toBe(true);
    },
  );

  it.each(['file:///*', 'chrome://favicon/*', 'nonsense', ''])('%s opens none', (pattern) => {
    expect(opensAllSites(pattern)).toBe(false);
    expect(opensSites(pattern)).toBe(false);
  });
});
