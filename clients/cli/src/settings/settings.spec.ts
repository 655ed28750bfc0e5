import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asFailure } from '../failure.js';
import { chooseLogin, serviceUrl } from './login.js';
import { findProject, parseProject } from './project-file.js';
import { addToProject } from './project-writer.js';
import { projectSchema } from './project-schema.js';
import { UserFile, userFilePath } from './user-file.js';

const URL_A = 'https://a.example';
const URL_B = 'https://b.example';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pierhead-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the user file', () => {
  it.each([
    ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/xdg/pierhead/config.json'],
    ['linux', { XDG_CONFIG_HOME: '' }, '/home/ann/.config/pierhead/config.json'],
    ['linux', { XDG_CONFIG_HOME: 'here' }, '/home/ann/.config/pierhead/config.json'],
    ['darwin', {}, '/home/ann/.config/pierhead/config.json'],
    ['win32', { APPDATA: '/roaming', XDG_CONFIG_HOME: '/xdg' }, '/roaming/pierhead/config.json'],
    ['win32', {}, '/home/ann/AppData/Roaming/pierhead/config.json'],
  ] as const)('on %s with %j is %s', (platform, env, path) => {
    expect(userFilePath(env, platform, '/home/ann')).toBe(path);
  });

  it.each(['', '.', 'ann'])('is never below the folder that the user is in, as with HOME=%j', (home) => {
    expect(userFilePath({}, 'linux', home)).toBe(join(userInfo().homedir, '.config/pierhead/config.json'));
  });

  it('keeps several services, readable by its owner alone, and leaves nothing else behind', async () => {
    const file = new UserFile(join(folder, 'user', 'config.json'));
    expect(await file.read()).toEqual({ services: {} });
    await file.save(URL_A, { token: 'a' });
    await chmod(file.path, 0o644);
    await file.save(URL_B, { session: 'b' });
    expect(await file.read()).toEqual({
      current: URL_B,
      services: { [URL_A]: { token: 'a' }, [URL_B]: { session: 'b' } },
    });
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    await file.remove(URL_B);
    expect(await file.read()).toEqual({ services: { [URL_A]: { token: 'a' } } });
    expect(await readdir(join(folder, 'user'))).toEqual(['config.json']);
  });

  it('may be a link, whose target is written', async () => {
    const target = join(folder, 'linked-to.json');
    await writeFile(target, '{"services":{}}', { mode: 0o644 });
    const file = new UserFile(join(folder, 'linked', 'config.json'));
    await mkdir(join(folder, 'linked'));
    await symlink(target, file.path);
    await file.save(URL_A, { token: 'a' });
    expect((await lstat(file.path)).isSymbolicLink()).toBe(true);
    expect((await stat(target)).mode & 0o777).toBe(0o600);
    expect(await readFile(target, 'utf8')).toContain(URL_A);
  });

  it('keeps the log-ins of many processes that save at once', async () => {
    const { path } = new UserFile(join(folder, 'at-once', 'config.json'));
    const urls = Array.from({ length: 20 }, (_, at) => `https://${at}.example`);
    // Each has a UserFile of its own, as processes have.
    await Promise.all(urls.map((url) => new UserFile(path).save(url, { token: url })));
    expect(Object.keys((await new UserFile(path).read()).services).sort()).toEqual(urls.toSorted());
    expect(await readdir(join(folder, 'at-once'))).toEqual(['config.json']);
  });

  it('can be written after a process was killed that had locked it', async () => {
    const file = new UserFile(join(folder, 'locked', 'config.json'));
    await file.save(URL_A, { token: 'a' });
    await mkdir(`${file.path}.lock`);
    const long = new Date(Date.now() - 60_000);
    for (const killed of ['one', 'other']) {
      await writeFile(join(`${file.path}.lock`, killed), '');
      await utimes(join(`${file.path}.lock`, killed), long, long);
    }
    await file.save(URL_B, { token: 'b' });
    expect((await file.read()).current).toBe(URL_B);
  });

  it.each(['', '{', '[]', 'null', '{"services":1}'])(
    'that holds %j is damaged, and says how to go on',
    async (text) => {
      const file = new UserFile(join(folder, 'damaged.json'));
      await writeFile(file.path, text);
      await expect(file.read()).rejects.toMatchObject({ message: `${file.path} is damaged.`, hint: /pierhead login/ });
    },
  );
});

describe('the address of a service', () => {
  it.each([
    ['https://a.example', URL_A],
    ['https://a.example/', URL_A],
    ['https://a.example/api/v1', URL_A],
    ['https://a.example/base/api/', 'https://a.example/base'],
    ['a.example', URL_A],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ])('%s is %s', (text, url) => expect(serviceUrl(text)).toBe(url));

  it.each(['ftp://a.example', 'https://', '', 'https://ann:secret@a.example'])('is not "%s"', (text) => {
    expect(() => serviceUrl(text)).toThrow();
  });
});

describe('the log-in of a command', () => {
  const settings = { current: URL_A, services: { [URL_A]: { token: 'a' }, [URL_B]: { session: 'b' } } };

  it.each([
    ['the last service', {}, { url: URL_A, token: 'a' }],
    ['the one of the environment', { PIERHEAD_URL: `${URL_B}/` }, { url: URL_B, session: 'b' }],
    ['the token of the environment', { PIERHEAD_TOKEN: 't' }, { url: URL_A, token: 't' }],
    [
      'both of the environment',
      { PIERHEAD_URL: 'c.example', PIERHEAD_TOKEN: 't' },
      { url: 'https://c.example', token: 't' },
    ],
    ['nothing that is empty', { PIERHEAD_URL: '', PIERHEAD_TOKEN: '' }, { url: URL_A, token: 'a' }],
  ])('is %s', (_case, env, login) => expect(chooseLogin(settings, env)).toEqual(login));

  it('never repeats a token that no header can carry', () => {
    for (const token of ['one\ntwo', 'to ken', 'tokén'])
      expect(() => chooseLogin(settings, { PIERHEAD_TOKEN: token })).toThrow(
        expect.objectContaining({ exitCode: 2, message: 'PIERHEAD_TOKEN is not an access token.' }),
      );
    expect(chooseLogin(settings, { PIERHEAD_TOKEN: 'token\r\n' })).toEqual({ url: URL_A, token: 'token' });
  });

  it.each([
    ['no service is known', { services: {} }, {}],
    ['nobody is logged in there', settings, { PIERHEAD_URL: 'https://c.example' }],
  ])('is refused when %s', (_case, known, env) => {
    expect(() => chooseLogin(known, env)).toThrow(expect.objectContaining({ exitCode: 4 }));
  });
});

describe('the project file', () => {
  it('is found in the folder or above it, may have comments, and names the folder of its paths', async () => {
    const below = join(folder, 'project', 'a', 'b');
    await mkdir(below, { recursive: true });
    await writeFile(join(folder, 'project', 'pierhead.json'), '{\n  // ours\n  "extension": "Night Owl",\n}');
    expect(await findProject(below)).toEqual({
      path: join(folder, 'project', 'pierhead.json'),
      folder: join(folder, 'project'),
      settings: { extension: 'Night Owl' },
    });
  });

  it('may be as Windows writes it, and stays readable when settings are added', async () => {
    const windows = join(folder, 'windows');
    await mkdir(windows);
    await writeFile(join(windows, 'pierhead.json'), '\uFEFF{\r\n  "extension": "Night Owl"\r\n}\r\n');
    await addToProject(await findProject(windows), { package: 'dist' }, URL_A);
    expect((await findProject(windows)).settings).toEqual({ extension: 'Night Owl', package: 'dist' });
  });

  it('that cannot be read is wrong usage, and is named', async () => {
    const path = join(folder, 'unreadable', 'pierhead.json');
    await mkdir(path, { recursive: true });
    await expect(findProject(join(folder, 'unreadable'))).rejects.toMatchObject({
      exitCode: 2,
      message: `${path} cannot be read: it is a folder.`,
    });
  });

  it('may be missing', async () => {
    expect(await findProject(folder)).toEqual({ path: null, folder, settings: {} });
  });

  const refused = (text: string): string => {
    try {
      return JSON.stringify(parseProject(text, 'pierhead.json'));
    } catch (error) {
      const { message, errors } = asFailure(error);
      return [message, ...errors.map((each) => `${each.field}: ${each.message}`)].join(' ');
    }
  };

  it.each([
    ['{\n"extension" "x"}', 'pierhead.json is not JSON: a colon is missing after a name (line 2).'],
    ['{"extensoin":"x"}', /extensoin/],
    ['{"stores":["opera"]}', /stores\.0: .*"chrome"\|"firefox"\|"edge"\|"safari"/],
    ['{"package":{"opera":"x.zip"}}', /package: /],
    ['{"extension":""}', /extension: /],
    ['[]', /expected object/],
  ])('%j is refused', (text, says) =>
    expect(refused(text)).toEqual(typeof says === 'string' ? says : expect.stringMatching(says)),
  );
});

it('the JSON Schema that editors read is what the client accepts', async () => {
  const committed = await readFile(new URL('../../schema/pierhead.schema.json', import.meta.url), 'utf8');
  expect(`${JSON.stringify(projectSchema(), null, 2)}\n`).toBe(committed);
});
