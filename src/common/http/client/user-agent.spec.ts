import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { clientOf, isBot, labelOfClient } from './user-agent.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const chromium = (system: string, rest: string): string => `Mozilla/5.0 (${system}) ${WEBKIT} ${rest}`;
const WINDOWS = 'Windows NT 10.0; Win64; x64';

describe('a browser', () => {
  it.each<[string, string | null, number | null, string | null]>([
    [chromium(WINDOWS, 'Chrome/131.0.0.0 Safari/537.36'), 'Chrome', 131, 'Windows'],
    [chromium(WINDOWS, 'Chrome/131.0.0.0 Safari/537.36 Edg/130.0.2903.70'), 'Microsoft Edge', 130, 'Windows'],
    [chromium(WINDOWS, 'Chrome/130.0.0.0 Safari/537.36 OPR/115.0.0.0'), 'Opera', 115, 'Windows'],
    [chromium(WINDOWS, 'Chrome/130.0.0.0 YaBrowser/24.12.0.0 Safari/537.36'), 'Yandex Browser', 24, 'Windows'],
    [chromium('X11; CrOS x86_64 14541.0.0', 'Chrome/131.0.0.0 Safari/537.36'), 'Chrome', 131, 'Chrome OS'],
    [chromium('Linux; Android 10; CUBOT X18', 'Chrome/131.0.0.0 Mobile Safari/537.36'), 'Chrome', 131, 'Android'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox', 133, 'Linux'],
    ['Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0', 'Firefox', 133, 'Android'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'Safari',
      18,
      'macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari',
      18,
      'iOS',
    ],
    ['Mozilla/5.0 (Something) of/1.0 its/2.0 own/3.0', null, null, null],
  ])('that sends %j is known', (userAgent, browser, browserMajor, os) => {
    expect(isBot(userAgent)).toBe(false);
    expect(clientOf(userAgent)).toEqual({ browser, browserMajor, os });
  });
});

describe('the label of a browser', () => {
  it.each([
    ['Firefox', 130, 'Linux', 'Firefox 130 on Linux'],
    ['Firefox', null, 'Linux', 'Firefox on Linux'],
    ['Safari', 18, null, 'Safari 18'],
    [null, null, 'Android', 'Android'],
    [null, null, null, null],
  ])('of %s %s on %s is %s', (browser, browserMajor, os, label) => {
    expect(labelOfClient({ browser, browserMajor, os })).toBe(label);
  });
});

describe('no browser', () => {
  it.each([
    undefined,
    '',
    'curl/8.5.0',
    'node',
    'python-requests/2.32',
    'Googlebot/2.1 (+http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    chromium('X11; Linux x86_64', 'HeadlessChrome/131.0.0.0 Safari/537.36'),
    chromium(WINDOWS, `Chrome/131.0.0.0 ${'x'.repeat(1024)}`),
  ])('sends %j', (userAgent) => {
    expect(isBot(userAgent)).toBe(true);
    expect(clientOf(userAgent)).toEqual({ browser: null, browserMajor: null, os: null });
  });
});

it('whatever is sent, only names of known lists are kept', () => {
  const tail = fc.string({ unit: 'binary-ascii', maxLength: 60 });
  fc.assert(
    fc.property(tail, (text) => {
      const { browser, browserMajor, os } = clientOf(`Mozilla/5.0 (${text}) ${text}/${text.length} ${text}`);
      expect(browser ?? 'Chrome').toMatch(/^[A-Z][\w ()+!-]+$/i);
      expect(os ?? 'Linux').toMatch(/^[\w ()]+$/);
      expect(browserMajor ?? 0).toBeLessThan(10_000);
    }),
    { numRuns: 500 },
  );
});
