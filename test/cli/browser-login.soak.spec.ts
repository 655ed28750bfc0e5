import { randomUUID } from 'node:crypto';
import { chmod, stat } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { atShell } from './at-shell.js';
import { PseudoTerminal } from './pseudo-terminal.js';

const CODE = /shows this code: ([A-Z]{4}-[A-Z]{4})/;

describe('a log-in in a terminal', () => {
  const at = atShell();

  const decide = async (userCode: string, decision: 'approve' | 'deny'): Promise<void> => {
    const { cookie } = at.tenant;
    const body = new URLSearchParams({ userCode, decision });
    const { status } = await fetch(`${at.world.url}/cli-login`, { method: 'POST', headers: { cookie }, body });
    expect(status).toBe(200);
  };
  const codeIn = async (terminal: PseudoTerminal): Promise<string> => {
    await terminal.reads(/takes sign-ups[^]+Log in to an account that exists/);
    terminal.press('down', 'enter');
    return (await terminal.reads(CODE))[1] ?? '';
  };

  it('opens a browser, shows the code, and goes on when the person approves there', async () => {
    const opened = await at.shell.write('browser', '#!/bin/sh\nprintf %s "$1" > opened\n');
    await chmod(opened, 0o755);
    const terminal = PseudoTerminal.run(at.shell, ['login', at.world.url], { BROWSER: opened });
    const code = await codeIn(terminal);
    expect(terminal.said).toContain(`/cli-login?code=${code}`);
    await decide(code, 'approve');
    await terminal.reads(new RegExp(`Logged in to ${at.world.url} as ${at.tenant.email}\\.`));
    expect(await terminal.ends()).toBe(0);
    expect(await at.shell.read('opened')).toContain(`/cli-login?code=${code}`);
    expect((await stat(at.shell.userFile)).mode & 0o777).toBe(0o600);
    expect(await at.shell.json(['whoami'])).toMatchObject({ by: 'session', user: { email: at.tenant.email } });
    const { items } = (await at.world.api.as(at.tenant).get('/auth/sessions')).body;
    expect(items[0].name).toMatch(/^pierhead on ./);
  });

  it('ends with 4 when the person denies, and keeps nothing', async () => {
    const terminal = PseudoTerminal.run(at.shell, ['login', at.world.url], { BROWSER: '/nowhere/at/all' });
    const code = await codeIn(terminal);
    expect(terminal.said).toContain('Open this page in a browser:');
    await decide(code, 'deny');
    await terminal.reads(/✗ The log-in was denied in the browser\./);
    expect(await terminal.ends()).toBe(4);
    await expect(stat(at.shell.userFile)).rejects.toThrow('ENOENT');
  });

  it('ends with 130 by Ctrl-C while it waits, and keeps nothing', async () => {
    const terminal = PseudoTerminal.run(at.shell, ['login', at.world.url]);
    await codeIn(terminal);
    terminal.press('interrupt');
    expect(await terminal.ends()).toBe(130);
    expect(terminal.said).not.toMatch(/\n\s+at /);
    await expect(stat(at.shell.userFile)).rejects.toThrow('ENOENT');
  });

  it('asks for the address, and by --email for the password, which it does not show', async () => {
    const terminal = PseudoTerminal.run(at.shell, ['login', '--email', at.tenant.email]);
    await terminal.answers(/Address of the service/, at.world.url);
    await terminal.answers(/Password/, at.tenant.password);
    await terminal.reads(/Logged in to/);
    expect(await terminal.ends()).toBe(0);
    expect(terminal.said).not.toContain(at.tenant.password);
  });

  it('creates an account, with a password that is typed twice, until the service takes it', async () => {
    const email = `${randomUUID()}@example.com`;
    const terminal = PseudoTerminal.run(at.shell, ['login', at.world.url]);
    await terminal.reads(/takes sign-ups/);
    terminal.press('enter');
    await terminal.answers(/E-mail address/, email);
    await terminal.answers(/Name of the team/, ' and friends');
    await terminal.answers(/Password/, 'password12');
    await terminal.answers(/again/, 'password12');
    await terminal.reads(/✗ password: .+commonest/);
    await terminal.answers(/Password/, 'correct horse battery staple');
    await terminal.answers(/again/, 'incorrect horse');
    await terminal.reads(/The two are not the same\./);
    await terminal.answers(/Password/, 'correct horse battery staple');
    await terminal.answers(/again/, 'correct horse battery staple');
    await terminal.reads(/Logged in to/);
    expect(await terminal.ends()).toBe(0);
    expect(terminal.said).not.toMatch(/battery|incorrect/);
    expect(await at.shell.run(['whoami'])).toMatchObject({
      stdout: `${email}, owner of ${email} and friends at ${at.world.url}.\n`,
    });
  });

  it('creates nothing by Ctrl-C at any question', async () => {
    const email = `${randomUUID()}@example.com`;
    for (const answers of [[], [email], [email, ''], [email, '', 'correct horse battery staple']]) {
      const terminal = PseudoTerminal.run(at.shell, ['login', at.world.url, '--sign-up']);
      const questions = [/E-mail address/, /Name of the team/, /Password/, /again/];
      for (const [at, line] of answers.entries()) await terminal.answers(questions[at] ?? /never/, line);
      await terminal.reads(questions[answers.length] ?? /never/);
      terminal.press('interrupt');
      expect(await terminal.ends()).toBe(130);
    }
    await expect(stat(at.shell.userFile)).rejects.toThrow('ENOENT');
    const body = { email, password: 'correct horse battery staple' };
    expect(await at.world.api.post('/auth/login', body)).toMatchObject({ status: 401 });
  });

  it('says in a sentence that there is no such service', async () => {
    const terminal = PseudoTerminal.run(at.shell, ['login', 'http://127.0.0.1:9'], { PIERHEAD_PATIENCE: '1s' });
    await terminal.reads(/✗ .+127\.0\.0\.1:9/);
    expect(await terminal.ends()).toBe(1);
    expect(terminal.said).not.toMatch(/\n\s+at /);
  });
});
