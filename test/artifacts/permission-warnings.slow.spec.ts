import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { BrowserContext, Page } from 'playwright-core';
import { parseManifest } from '../../src/artifacts/archive/manifest.js';
import { chromiumWith, hasChromium } from '../support/chromium.js';
import { accessOf } from '../../src/artifacts/archive/warnings/warnings.js';

const inChromium = hasChromium('permission warnings as Chromium words them') ? describe : describe.skip;

/** Every permission that an extension may ask for, and some that no extension has. */
const PERMISSIONS = `
  accessibilityFeatures.modify accessibilityFeatures.read activeTab alarms audio background bookmarks browsingData
  certificateProvider clipboardRead clipboardWrite contentSettings contextMenus cookies debugger declarativeContent
  declarativeNetRequest sessions sidePanel declarativeNetRequestFeedback declarativeNetRequestWithHostAccess desktopCapture dns
  documentScan downloads downloads.open downloads.ui favicon fileBrowserHandler fontSettings gcm geolocation history identity
  identity.email idle loginState management nativeMessaging notifications offscreen pageCapture platformKeys power printing privacy
  processes proxy readingList scripting search storage system.cpu system.display system.memory system.storage tabCapture tabGroups
  tabs topSites tts ttsEngine unlimitedStorage userScripts webAuthenticationProxy webNavigation webRequest webRequestAuthProvider
  noSuchThing
`
  .trim()
  .split(/\s+/);
const PATTERNS = `
  https://example.com/* http://example.com/a/* *://*.example.org/* https://localhost:3000/* http://127.0.0.1/* https://*.github.io/*
  https://*.s3.amazonaws.com/* https://*.unknowntld/* <all_urls> *://*/* https://*/* http://*/x ftp://*/* https://*:8080/*
  https://*.com/* *://*.co.uk/* http://*.de/one https://*.xn--p1ai/* https://com/* https://*.com:80/* file:///* file:///home/*
  chrome://favicon/* https://*.kawasaki.jp/* https://*.foo.ck/* https://*.ck/*
`
  .trim()
  .split(/\s+/);
/** Chromium refuses a content script for its own pages. */
const SCRIPTABLE = PATTERNS.filter((each) => !each.startsWith('chrome:'));

const manifests = fc.record(
  {
    permissions: fc.subarray(PERMISSIONS, { maxLength: 8 }),
    host_permissions: fc.subarray(PATTERNS, { maxLength: 2 }),
    content_scripts: fc
      .subarray(SCRIPTABLE, { minLength: 1, maxLength: 1 })
      .map((matches) => [{ matches, js: ['a.js'] }]),
    devtools_page: fc.constant('devtools.html'),
    chrome_url_overrides: fc.constantFrom({ newtab: 'a.html' }, { history: 'a.html' }),
    optional_permissions: fc.subarray(['tabs', 'downloads'], { minLength: 1 }),
  },
  { requiredKeys: [] },
);

type Manifest = Readonly<Record<string, unknown>>;
const whole = (some: Manifest): Manifest => ({ manifest_version: 3, name: 'Asks', version: '1.0', ...some });

/** Each value alone, and combinations of a fixed seed. */
const ASKED = [
  PERMISSIONS.map((each) => ({ permissions: [each] })),
  PATTERNS.map((each) => ({ host_permissions: [each] })),
  [{ permissions: [{ usbDevices: [{ vendorId: 1, productId: 2 }] }] }],
  fc.sample(manifests, { numRuns: 400, seed: 156 }),
]
  .flat()
  .map(whole);

/** Chromium names up to three sites, and Pierhead the patterns: these sentences are compared by whether there is one. */
const NAMES_SITES = /^(?:Read and change your data on|Access to) /;
const comparable = (sentences: readonly string[]) => ({
  access: sentences.filter((each) => !NAMES_SITES.test(each)).toSorted(),
  namesSites: sentences.some((each) => NAMES_SITES.test(each)),
});

inChromium('what a package asks of users', () => {
  let folder: string;
  let browser: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-warnings-'));
    const extension = join(folder, 'extension');
    await mkdir(extension);
    const manifest = { permissions: ['management'], background: { service_worker: 'worker.js' } };
    await writeFile(join(extension, 'manifest.json'), JSON.stringify(whole(manifest)));
    await writeFile(join(extension, 'worker.js'), '');
    await writeFile(join(extension, 'page.html'), '<!doctype html>');
    browser = await chromiumWith(extension, join(folder, 'profile'));
    const [worker = await browser.waitForEvent('serviceworker')] = browser.serviceWorkers();
    page = await browser.newPage();
    await page.goto(new URL('page.html', worker.url()).href);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is what Chromium warns of, for every permission, pattern and key, alone and together', async () => {
    const warnings = await page.evaluate<
      readonly (readonly string[] | null)[]
    >(`Promise.all(${JSON.stringify(ASKED)}.map((manifest) =>
      chrome.management.getPermissionWarningsByManifest(JSON.stringify(manifest)).catch(() => null)))`);
    expect(ASKED.filter((_, at) => warnings[at] === null)).toEqual([]);
    const differing = ASKED.flatMap((manifest, at) => {
      const ours = comparable(accessOf(parseManifest(JSON.stringify(manifest)).manifest));
      const chromiums = comparable(warnings[at] ?? []);
      return JSON.stringify(ours) === JSON.stringify(chromiums) ? [] : [{ manifest, ours, chromiums }];
    });
    expect(warnings).toHaveLength(ASKED.length);
    expect(differing).toEqual([]);
  });
});
