import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ignoreFilesOf, readWebExt } from '../settings/web-ext-config.js';
import { planFastlane, readFastlane } from './fastlane.js';
import { addonId, merged, type Plan } from './plan.js';
import { planSubmitEnv } from './submit-env.js';
import { planWebExt } from './web-ext.js';

const FROM = '.env.submit';
const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQ\nAgEA\n-----END PRIVATE KEY-----';
const CHROME = 'abcdefghijklmnopabcdefghijklmnop';

/** As its \`init\` writes it. */
const OLD_SUBMIT_ENV = `CHROME_EXTENSION_ID="${CHROME}"
CHROME_CLIENT_ID="c.apps.googleusercontent.com"
CHROME_CLIENT_SECRET="GOCSPX-secret"
CHROME_REFRESH_TOKEN="1//0refresh"
CHROME_PUBLISH_TARGET="trustedTesters"
CHROME_DEPLOY_PERCENTAGE="10"
CHROME_REVIEW_EXEMPTION="true"
CHROME_SKIP_SUBMIT_REVIEW="false"

FIREFOX_EXTENSION_ID="tab-counter@pierhead.example"
FIREFOX_JWT_ISSUER="user:12345:67"
FIREFOX_JWT_SECRET="jwt-secret"
FIREFOX_CHANNEL="unlisted"
FIREFOX_COMPATIBILITY="firefox,android"
FIREFOX_SOURCES_ZIP=".output/sources.zip"

EDGE_PRODUCT_ID="{1b7c0a4e-0000-4000-8000-000000000000}"
EDGE_CLIENT_ID="edge-client"
EDGE_API_KEY="edge-key"
EDGE_ACCESS_TOKEN_URL="https://login.example/token"
EDGE_SKIP_SUBMIT_REVIEW="true"

OPERA_PACKAGE_ID="1234"
OPERA_SESSION_ID="opera-session"
MY_OWN="x"
`;
const NEW_SUBMIT_ENV = String.raw`CHROME_PUBLISHER_ID=1b7c0a4e-0000-4000-8000-000000000000
CHROME_SERVICE_ACCOUNT_CLIENT_EMAIL=ci@project.iam.gserviceaccount.com
CHROME_SERVICE_ACCOUNT_PRIVATE_KEY=${PEM.replaceAll('\n', String.raw`\n`)}
CHROME_PUBLISH_TYPE=STAGED_PUBLISH
CHROME_CANCEL_PENDING=true
CHROME_SKIP_REVIEW=false
CHROME_REFRESH_TOKEN=1//0refresh
FIREFOX_AMO_METADATA_FILE=amo.json
`;

const outcomes = ({ lines }: Plan): object =>
  Object.fromEntries(lines.map(({ name, outcome, note }) => [name, `${outcome}: ${note}`]));

describe('a .env.submit of publish-browser-extension', () => {
  it('is taken over by its old names, once the publisher is known', () => {
    const plan = planSubmitEnv(OLD_SUBMIT_ENV, FROM, 'publisher');
    expect(plan.stores).toEqual([
      {
        store: 'chrome',
        credentials: {
          publisherId: 'publisher',
          clientId: 'c.apps.googleusercontent.com',
          clientSecret: 'GOCSPX-secret',
          refreshToken: '1//0refresh',
        },
        settings: { storeItemId: CHROME, rolloutPercent: 10, skipReview: true },
      },
      {
        store: 'firefox',
        credentials: { issuer: 'user:12345:67', secret: 'jwt-secret' },
        settings: {
          storeItemId: 'tab-counter@pierhead.example',
          channel: 'unlisted',
          platforms: ['desktop', 'android'],
        },
      },
      {
        store: 'edge',
        credentials: { clientId: 'edge-client', apiKey: 'edge-key' },
        settings: { storeItemId: '1b7c0a4e-0000-4000-8000-000000000000' },
      },
    ]);
    expect(plan.project).toEqual({ sources: '.output/sources.zip' });
    expect(outcomes(plan)).toMatchObject({
      CHROME_REFRESH_TOKEN: 'taken: part of the credential',
      CHROME_PUBLISH_TARGET: expect.stringMatching(/^left: .*trusted testers/),
      CHROME_SKIP_SUBMIT_REVIEW: 'taken: this is how Pierhead does it anyway',
      EDGE_SKIP_SUBMIT_REVIEW: expect.stringMatching(/^left: Pierhead always submits versions/),
      EDGE_ACCESS_TOKEN_URL: 'left: it belongs to API v1, which has ended',
      OPERA_SESSION_ID: expect.stringMatching(/^left: Pierhead does not publish to Opera/),
      MY_OWN: 'left: Pierhead has no such setting',
    });
  });

  it('is reported in the order of its lines', () => {
    const text = 'export FIREFOX_CHANNEL=listed\n  EDGE_PRODUCT_ID = p\nCHROME_ZIP=c.zip\n';
    const names = planSubmitEnv(text, FROM).lines.map(({ name }) => name);
    expect(names).toEqual(['FIREFOX_CHANNEL', 'EDGE_PRODUCT_ID', 'CHROME_ZIP']);
  });

  it('without a publisher leaves the key of the old API, and says what it lacks', () => {
    const plan = planSubmitEnv(OLD_SUBMIT_ENV, FROM);
    expect(plan.stores[0]).toMatchObject({ store: 'chrome', credentials: null, settings: { storeItemId: CHROME } });
    expect(outcomes(plan)).toMatchObject({
      CHROME_REFRESH_TOKEN: expect.stringMatching(/^left: .*publisher id.*--chrome-publisher$/),
    });
  });

  it('is taken over by the names of 6.2, with the line breaks of its key', () => {
    const plan = planSubmitEnv(NEW_SUBMIT_ENV, FROM);
    expect(plan.stores).toEqual([
      {
        store: 'chrome',
        credentials: {
          publisherId: '1b7c0a4e-0000-4000-8000-000000000000',
          serviceAccount: { client_email: 'ci@project.iam.gserviceaccount.com', private_key: PEM },
        },
        settings: { release: 'manual', onPending: 'replace' },
      },
      { store: 'firefox', credentials: null, settings: {} },
    ]);
    expect(outcomes(plan)).toMatchObject({
      CHROME_REFRESH_TOKEN: 'left: not needed: the service account is used',
      FIREFOX_AMO_METADATA_FILE: expect.stringMatching(/^left: .*notesFile/),
    });
  });

  it.each([
    ['in quotes over several lines', `CHROME_SERVICE_ACCOUNT_PRIVATE_KEY="${PEM}"`],
    ['in quotes on one line', `CHROME_SERVICE_ACCOUNT_PRIVATE_KEY="${PEM.replaceAll('\n', String.raw`\n`)}"`],
    ['with Windows line breaks', `CHROME_SERVICE_ACCOUNT_PRIVATE_KEY='${PEM.replaceAll('\n', String.raw`\r\n`)}'`],
  ])('has its key %s', (_, line) => {
    const others = 'CHROME_PUBLISHER_ID=p\nCHROME_SERVICE_ACCOUNT_CLIENT_EMAIL=a@b\n';
    const [chrome] = planSubmitEnv(others + line, FROM).stores;
    expect(chrome?.credentials).toMatchObject({ serviceAccount: { private_key: PEM } });
  });

  it.each(['', '# nothing', 'CHROME_CLIENT_ID=', 'CHROME_EXTENSION_ID="" '])(
    'that says nothing (%j) is nothing',
    (text) => {
      expect(planSubmitEnv(text, FROM)).toEqual({ lines: [], stores: [], project: {} });
    },
  );

  it('names packages by store', () => {
    const { project } = planSubmitEnv('CHROME_ZIP=c.zip\nFIREFOX_ZIP=f.zip', FROM);
    expect(project).toEqual({ package: { chrome: 'c.zip', firefox: 'f.zip' } });
  });

  it('names packages and sources for each version, and keeps patterns', () => {
    const text = [
      'CHROME_ZIP=dist/my-ext-1.2.3.zip',
      'FIREFOX_ZIP=dist/*.zip',
      'FIREFOX_SOURCES_ZIP=".output/my-ext-$npm_package_version-sources.zip"',
    ].join('\n');
    const plan = planSubmitEnv(text, FROM);
    expect(plan.project).toEqual({
      package: { chrome: 'dist/my-ext-{version}.zip', firefox: 'dist/*.zip' },
      sources: '.output/my-ext-{version}-sources.zip',
    });
    expect(outcomes(plan)).toEqual({
      CHROME_ZIP: 'taken: package.chrome of pierhead.json, with {version} for any version',
      FIREFOX_ZIP: 'taken: package.firefox of pierhead.json',
      FIREFOX_SOURCES_ZIP: 'taken: sources of pierhead.json, with {version} for any version',
    });
    const ofWebExt = { sourceDir: 'builds/1.2.3', uploadSourceCode: 'sources-1.2.3.zip' };
    expect(planWebExt([{ from: 'package.json', values: ofWebExt }], null).project).toEqual({
      package: 'builds/{version}',
      sources: 'sources-{version}.zip',
    });
  });

  it.each(['abc', '0', '101', '1.5'])('with a percentage of %s leaves it', (percent) => {
    const plan = planSubmitEnv(`CHROME_DEPLOY_PERCENTAGE=${percent}`, FROM);
    expect(outcomes(plan)).toEqual({ CHROME_DEPLOY_PERCENTAGE: 'left: it is not a percentage from 1 to 100' });
  });

  it('never has a value in its lines', () => {
    for (const text of [OLD_SUBMIT_ENV, NEW_SUBMIT_ENV])
      expect(JSON.stringify(planSubmitEnv(text, FROM, 'publisher').lines)).not.toMatch(
        /secret"|GOCSPX|1\/\/0|MIIE|edge-key/,
      );
  });
});

it.each([
  ['a UUID without its braces', 'd10d0bf8-f5b5-c8b4-a8b2-2b9879e08c5d', '{d10d0bf8-f5b5-c8b4-a8b2-2b9879e08c5d}'],
  ['a UUID', '{d10d0bf8-f5b5-c8b4-a8b2-2b9879e08c5d}', '{d10d0bf8-f5b5-c8b4-a8b2-2b9879e08c5d}'],
  ['an address', 'a@b.example', 'a@b.example'],
  ['an address in braces', '{a@b.example}', 'a@b.example'],
  ['a slug in braces', '{tab-counter}', 'tab-counter'],
])('the id of an add-on is as its manifest has it: %s', (_case, text, id) => {
  expect(addonId(text)).toBe(id);
});

describe('in a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('the settings of web-ext are read from its files and the environment, which wins', async () => {
    const ofPackage = {
      name: 'counter',
      webExt: { sourceDir: 'app', artifactsDir: 'builds', run: { firefox: 'nightly' } },
    };
    await writeFile(join(folder, 'package.json'), JSON.stringify(ofPackage));
    await writeFile(
      join(folder, 'web-ext-config.mjs'),
      `export default { ignoreFiles: ['**/*.map'], sign: { channel: 'listed', uploadSourceCode: 'src.zip', apiKey: 'user:1:2' } };`,
    );
    await writeFile(join(folder, '.web-ext-config.cjs'), `module.exports = { sourceDir: 'dist', unheardOf: true };`);
    const env = {
      WEB_EXT_API_KEY: 'user:3:4',
      WEB_EXT_API_SECRET: 'web-ext-secret',
      WEB_EXT_CHANNEL: 'unlisted',
      OTHER: 'x',
    };
    const found = await readWebExt(folder, env);
    const plan = planWebExt(found, null);
    expect(plan.stores).toEqual([
      {
        store: 'firefox',
        credentials: { issuer: 'user:3:4', secret: 'web-ext-secret' },
        settings: { channel: 'unlisted' },
      },
    ]);
    expect(plan.project).toEqual({ package: 'dist', ignoreFiles: ['**/*.map'], sources: 'src.zip' });
    expect(plan.lines.map(({ from, name, outcome }) => `${from} ${name} ${outcome}`)).toEqual([
      'package.json sourceDir left',
      'package.json artifactsDir left',
      'web-ext-config.mjs ignoreFiles taken',
      'web-ext-config.mjs channel left',
      'web-ext-config.mjs uploadSourceCode taken',
      'web-ext-config.mjs apiKey left',
      '.web-ext-config.cjs sourceDir taken',
      '.web-ext-config.cjs unheardOf left',
      'environment WEB_EXT_API_KEY taken',
      'environment WEB_EXT_API_SECRET taken',
      'environment WEB_EXT_CHANNEL taken',
    ]);
    expect(planWebExt(found, '.env.submit').stores[0]?.credentials).toBeNull();
  });

  it('the files that web-ext ignores stay out of a package, unless pierhead.json names others', async () => {
    await writeFile(join(folder, 'web-ext-config.mjs'), `export default { ignoreFiles: ['**/*.map'] };`);
    const project = { path: null, folder, settings: {} };
    expect(await ignoreFilesOf(project, {}, folder)).toEqual(['**/*.map']);
    expect(await ignoreFilesOf({ ...project, settings: { ignoreFiles: ['docs'] } }, {}, folder)).toEqual(['docs']);
    expect(await ignoreFilesOf({ ...project, folder: join(folder, 'none') }, {}, folder)).toEqual([]);
  });

  it('half a key of web-ext is left, with what is missing', async () => {
    const plan = planWebExt(await readWebExt(folder, { WEB_EXT_API_KEY: 'user:1:2' }), null);
    expect(plan).toEqual({
      lines: [{ from: 'environment', name: 'WEB_EXT_API_KEY', outcome: 'left', note: 'apiSecret is missing' }],
      stores: [],
      project: {},
    });
  });

  it.each<[string, object, string]>([
    ['as text', { key_id: 'D383SF739', issuer_id: '6053b7fe', key: PEM, in_house: false }, PEM],
    [
      'in base64',
      {
        key_id: 'D383SF739',
        issuer_id: '6053b7fe',
        key: Buffer.from(PEM).toString('base64'),
        is_key_content_base64: true,
      },
      PEM,
    ],
    [
      'with escaped line breaks',
      { key_id: 'D383SF739', issuer_id: '6053b7fe', key: PEM.replaceAll('\n', String.raw`\n`) },
      PEM,
    ],
  ])("fastlane's key is found %s, with the app of its Appfile", async (_, key, privateKey) => {
    await mkdir(join(folder, 'fastlane'));
    await writeFile(join(folder, 'fastlane/a.json'), '{"other":true}');
    await writeFile(join(folder, 'fastlane/api_key.json'), JSON.stringify(key));
    await writeFile(
      join(folder, 'fastlane/Appfile'),
      '# app\napp_identifier("com.example.counter")\napple_id(ENV["ID"])\n',
    );
    const plan = planFastlane(await readFastlane(folder));
    expect(plan.stores).toEqual([
      {
        store: 'safari',
        credentials: { issuerId: '6053b7fe', keyId: 'D383SF739', privateKey },
        settings: { storeItemId: 'com.example.counter' },
      },
    ]);
    expect(plan.lines.map(({ from, name }) => `${from} ${name}`)).toEqual([
      ...Object.keys(key).map((name) => `fastlane/api_key.json ${name}`),
      'fastlane app_identifier',
    ]);
  });

  it('what a Deliverfile says is reported as left, but the app', async () => {
    await mkdir(join(folder, 'fastlane'));
    const deliverfile = `# The Deliverfile (see docs)
app_identifier "com.example.counter" # The bundle id
username("ann@example.com")
submit_for_review true
  automatic_release(false)
release_notes({
  "en-US" => "Faster (and smaller",
  "de-DE" => "Schneller",
})
submission_information(
  export_compliance_uses_encryption: false,
  add_id_info_uses_idfa: false
)
platform 'osx'
if ENV["CI"]
  ipa "./Counter.ipa"
end
`;
    await writeFile(join(folder, 'fastlane/Deliverfile'), deliverfile);
    const plan = planFastlane(await readFastlane(folder));
    expect(plan.stores).toEqual([
      { store: 'safari', credentials: null, settings: { storeItemId: 'com.example.counter' } },
    ]);
    expect(plan.lines.map(({ from, name, outcome }) => [from, name, outcome])).toEqual([
      ['fastlane', 'app_identifier', 'taken'],
      ...[
        'username',
        'submit_for_review',
        'automatic_release',
        'release_notes',
        'submission_information',
        'platform',
        'ipa',
      ].map((name) => ['fastlane/Deliverfile', name, 'left']),
    ]);
    expect(outcomes(plan)).toMatchObject({
      release_notes: 'left: push with --notes, or name notesFile in pierhead.json',
      platform: 'left: Pierhead has no such setting',
    });
    expect(JSON.stringify(plan.lines)).not.toContain('ann@example.com');
  });

  it("fastlane's notes stay where they are, and are named in pierhead.json", async () => {
    const write = async (path: string, text: string): Promise<void> => {
      await mkdir(join(folder, 'store', dirname(path)), { recursive: true });
      await writeFile(join(folder, 'store', path), text);
    };
    await mkdir(join(folder, 'fastlane'));
    await writeFile(join(folder, 'fastlane/Deliverfile'), 'metadata_path("./store")\n');
    await write('copyright.txt', '2026 Ann');
    await write('en-US/release_notes.txt', 'Counts faster.');
    await write('en-US/description.txt', 'Counts tabs.');
    await write('de-DE/release_notes.txt', 'Zählt schneller.');
    await write('fr-FR/release_notes.txt', '\n');
    await write('review_information/notes.txt', 'Log in as ann.');
    const plan = planFastlane(await readFastlane(folder));
    expect(plan.project).toEqual({ notesFile: 'store', reviewerNotesFile: 'store/review_information/notes.txt' });
    expect(outcomes(plan)).toMatchObject({
      'release_notes.txt': 'taken: the release notes of each push, in de-DE and en-US: "notesFile" in pierhead.json',
      'review_information/notes.txt': 'taken: "reviewerNotesFile" in pierhead.json',
    });
  });

  it("what else fastlane's key file says is reported as left", async () => {
    const others = { in_house: false, duration: 500, apple_id: 'ann@example.com', note: 'ours' };
    const text = JSON.stringify({ key_id: 'D383SF739', key: PEM, ...others });
    const plan = planFastlane(await readFastlane(folder, { from: 'key.json', text }));
    expect(outcomes(plan)).toEqual({
      key_id: 'taken: part of the credential',
      key: 'taken: part of the credential',
      in_house: expect.stringMatching(/^left: /),
      duration: expect.stringMatching(/^left: /),
      apple_id: expect.stringMatching(/^left: /),
      note: 'left: Pierhead has no such setting',
    });
  });

  it("a file that is named as fastlane's key and is none is refused", async () => {
    const named = { from: 'key.json', text: '{"type":"service_account"}' };
    await expect(readFastlane(folder, named)).rejects.toMatchObject({
      message: expect.stringContaining('holds no key of App Store Connect'),
      exitCode: 2,
    });
    expect(planFastlane(await readFastlane(folder))).toEqual({ lines: [], stores: [], project: {} });
  });
});

it("web-ext's folder is the package of the stores for which nothing else is named", () => {
  const plansOf = (env: string): ReturnType<typeof merged> =>
    merged([planSubmitEnv(env, FROM), planWebExt([{ from: 'package.json', values: { sourceDir: 'dist' } }], null)]);
  const some = plansOf('FIREFOX_ZIP=firefox.zip');
  expect(some.project.package).toEqual({ chrome: 'dist', firefox: 'firefox.zip', edge: 'dist' });
  expect(outcomes(some)).toMatchObject({ sourceDir: 'taken: package of pierhead.json' });
  const all = plansOf('CHROME_ZIP=a.zip\nFIREFOX_ZIP=b.zip\nEDGE_ZIP=c.zip');
  expect(all.project.package).toMatchObject({ chrome: 'a.zip', firefox: 'b.zip', edge: 'c.zip' });
  expect(outcomes(all)).toMatchObject({ sourceDir: expect.stringMatching(/^left: /) });
  expect(plansOf('').project.package).toBe('dist');
});

it('of several plans the first counts', () => {
  const plan = merged([
    planSubmitEnv('FIREFOX_EXTENSION_ID=a@b\nFIREFOX_SOURCES_ZIP=one.zip', FROM),
    planWebExt(
      [
        {
          from: 'package.json',
          values: { id: 'c@d', channel: 'listed', uploadSourceCode: 'two.zip', apiKey: 'i', apiSecret: 's' },
        },
      ],
      null,
    ),
  ]);
  expect(plan.stores).toEqual([
    {
      store: 'firefox',
      credentials: { issuer: 'i', secret: 's' },
      settings: { storeItemId: 'a@b', channel: 'listed' },
    },
  ]);
  expect(plan.project).toEqual({ sources: 'one.zip' });
  const late = { from: 'package.json', outcome: 'left', note: `${FROM} says it already, and counts` };
  expect(plan.lines).toEqual([
    { from: FROM, name: 'FIREFOX_EXTENSION_ID', outcome: 'taken', note: 'the add-on of the target' },
    { from: FROM, name: 'FIREFOX_SOURCES_ZIP', outcome: 'taken', note: 'sources of pierhead.json' },
    { ...late, name: 'id' },
    { from: 'package.json', name: 'channel', outcome: 'taken', note: 'channel of the target' },
    { ...late, name: 'uploadSourceCode' },
    { from: 'package.json', name: 'apiKey', outcome: 'taken', note: 'part of the credential' },
    { from: 'package.json', name: 'apiSecret', outcome: 'taken', note: 'part of the credential' },
  ]);
});

it('of several files of web-ext the last counts, as it does for web-ext', () => {
  const { lines, project } = planWebExt(
    [
      { from: 'package.json', values: { uploadSourceCode: 'one.zip', channel: 'listed' } },
      { from: 'environment', values: { uploadSourceCode: 'two.zip' } },
    ],
    null,
  );
  expect(project).toEqual({ sources: 'two.zip' });
  expect(lines.map(({ from, name, outcome, note }) => [from, name, outcome, note])).toEqual([
    ['package.json', 'uploadSourceCode', 'left', 'environment says it too, and counts'],
    ['package.json', 'channel', 'taken', 'channel of the target'],
    ['environment', 'WEB_EXT_UPLOAD_SOURCE_CODE', 'taken', 'sources of pierhead.json'],
  ]);
});
