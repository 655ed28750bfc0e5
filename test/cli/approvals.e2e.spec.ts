import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { authorAt, whileWorking, type Author } from './author.js';
import { Shell } from './shell.js';

const COMMIT = '8f3a1c5e0b2d4f6a7c9e1d3b5f7a9c0e2d4b6f81';

let world: World;
let author: Author;
let bob: Tenant;
let shell: Shell;
beforeAll(async () => {
  world = await startWorld();
  author = await authorAt(world, ['chrome']);
  bob = await world.given.member(author, 'publisher');
  shell = await Shell.open({ PIERHEAD_URL: world.url });
  const logIn = ['login', world.url, '--email', bob.email, '--password-stdin'];
  expect(await shell.run(logIn, { stdin: bob.password })).toMatchObject({ code: 0 });
  const { token } = await world.given.loggedIn(author);
  const path = `/extensions/${author.extensionId}`;
  expectStatus(await world.api.as({ token }).patch(path, { approval: { required: true } }), 200);
});
afterAll(async () => {
  await Promise.all([author.shell.close(), shell.close()]);
  await world.close();
});

const push = async (version: string, ...args: readonly string[]) =>
  author.shell.start(['push', await author.pack(version), '--no-lint', '--yes', ...args], {
    env: { GITHUB_SHA: COMMIT },
  });

it('a push waits until another person approves it, and says so', async () => {
  expect(await shell.run(['approvals'])).toMatchObject({ code: 0, stdout: 'No version waits for an approval.\n' });
  const pushing = await push('1.0.0', '--wait', 'submitted');
  await pushing.says(/1\.0\.0 waits for the approval of another person: http.+\/approvals\/[\da-f-]+/);
  await world.tick();
  await pushing.says(/Chrome: waits for approval\. Version 1\.0\.0 waits for approval: CI \(.+\) pushed it/);
  expect((await shell.run(['approvals'])).stdout).toMatch(
    new RegExp(
      `^Night Owl 1\\.0\\.0 {3}waits for you\n {2}pushed by CI \\(${author.email}\\), for every store\n {2}sha256 [\\da-f]{64}\n {2}commit ${COMMIT}, named by the push\n {2}http.+\n {2}pierhead approve [\\da-f-]+\n$`,
    ),
  );
  expect((await shell.run(['approvals'])).stderr).toBe('1 needs you\n');
  const byToken = await author.shell.run(['approve', '1.0.0', '--yes']);
  expect(byToken).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('An access token cannot approve a version. Only a person who is logged in can.'),
  });
  expect(await shell.run(['approve', '1.0.0', '--yes'])).toMatchObject({
    code: 0,
    stdout: '1.0.0 goes to its stores. Follow it with: pierhead watch\n',
  });
  expect(await whileWorking(world, pushing)).toMatchObject({ code: 0 });
  expect((await shell.run(['approvals', '--decided', '--extension', author.name])).stdout).toContain(
    `Night Owl 1.0.0   approved by ${bob.email}\n`,
  );
});

it('a push that waits ends once another person rejects it, and with the reason', async () => {
  const pushing = await push('1.1.0', '--wait', 'submitted');
  await pushing.says(/waits for the approval/);
  expect(await shell.run(['reject', '1.1.0', '--reason', 'It is late.'])).toMatchObject({
    code: 0,
    stdout: '1.1.0 is not sent. The pusher gets the reason.\n',
  });
  expect(await whileWorking(world, pushing)).toMatchObject({
    code: 5,
    stdout: expect.stringContaining(`${bob.email} rejected version 1.1.0: It is late.`),
  });
  expect(await shell.run(['approve', '1.1.0', '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No version 1.1.0 waits for an approval.'),
  });
});
