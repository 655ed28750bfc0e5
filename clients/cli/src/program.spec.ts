import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { completionScript } from './commands/completion.js';
import { apiPath } from './commands/api.js';
import { createProgram, runProgram } from './program.js';

const GUIDE = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
const program = await createProgram('1.2.3', []);

/** Every command and group, by the words that name it. */
const COMMANDS = program.commands.flatMap((command) => [
  [command.name(), command] as const,
  ...command.commands.map((each) => [`${command.name()} ${each.name()}`, each] as const),
]);

describe.each(COMMANDS)('pierhead %s', (name, command) => {
  it('has help with what it does, its options and an example', () => {
    let help = '';
    command.configureOutput({ writeOut: (text) => void (help += text) });
    command.outputHelp();
    expect(help.replaceAll(/\s+/g, ' ')).toContain(command.description());
    expect(help).toMatch(new RegExp(String.raw`^Examples:\n  \$ .*\bpierhead ${name}\b`, 'm'));
    for (const { long, description } of command.options)
      expect([long, description]).toEqual([long, expect.stringMatching(/./)]);
  });

  it('is in docs/cli.md', () => {
    const short = name.split(' ').at(-1);
    expect(GUIDE).toMatch(new RegExp(String.raw`\bpierhead ${name}\b|\x60${short}\x60`));
  });

  it('has no option of the same name as one of the program', () => {
    const namesOf = ({ options }: typeof command): string[] =>
      options.flatMap(({ short, long }) => [short, long].filter((each) => typeof each === 'string'));
    expect(namesOf(command).filter((each) => namesOf(program).includes(each))).toEqual([]);
  });
});

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'] as const)('for %s names every command and option', (shell) => {
    const script = completionScript(shell, program);
    for (const command of [...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
      expect(script).toContain(command.name());
      for (const { long } of command.options) expect(script).toContain(long?.slice(2));
    }
  });

  it.each([
    ['pierhead st', 'status'],
    ['pierhead login --pass', '--password-stdin'],
    ['pierhead status --js', '--json'],
    ['pierhead licenses su', 'suspend'],
    ['pierhead licenses revoke --y', '--yes'],
  ])('in bash of "%s" is %s', (typed, completed) => {
    const words = typed.split(' ');
    const script = `${completionScript('bash', program)}
      COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _pierhead; printf '%s' "\${COMPREPLY[*]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect([stdout, stderr]).toEqual([completed, '']);
  });
});

it.each(['extensions', '/extensions', 'api/v1/extensions', '/api/v1/extensions'])(
  'the path %s is one of the API',
  (path) => {
    expect(apiPath(path)).toBe('/api/v1/extensions');
  },
);

/** Runs a command without a user file, and returns its exit code and all that it printed. */
async function ran(args: readonly string[], env: Readonly<Record<string, string>>): Promise<[number, string]> {
  let printed = '';
  const write = (text: string | Uint8Array): boolean => ((printed += String(text)), true);
  const streams = { stdin: process.stdin, stdout: { write }, stderr: { write } };
  const { signal } = new AbortController();
  const versions = { version: '1.2.3', fullVersion: '1.2.3' };
  const exitCode = await runProgram(args, { env, cwd: '/', streams, signal, ...versions });
  return [exitCode, printed];
}

describe('wrong usage', () => {
  it.each([
    [['wibble'], "✗ Unknown command 'wibble'.\n  Help: pierhead --help\n"],
    [['pusch'], "✗ Unknown command 'pusch'.\n  Did you mean push?\n  Help: pierhead --help\n"],
    [['status', '--jsn'], "✗ Unknown option '--jsn'.\n  Did you mean --json?\n  Help: pierhead status --help\n"],
    [['licenses', 'wibble'], "✗ Unknown command 'wibble'.\n  Help: pierhead licenses --help\n"],
    [['licenses', 'suspend'], "✗ Missing required argument 'license'.\n  Help: pierhead licenses suspend --help\n"],
  ])('%j fails like any other command, and points to the help', async (args, says) => {
    expect(await ran(args, {})).toEqual([2, says]);
  });

  it('of a group without a command is answered with its help', async () => {
    expect(await ran(['tokens'], {})).toEqual([2, expect.stringMatching(/^Usage: pierhead tokens /)]);
  });
});

describe('a command that the service has no route for', () => {
  const failureAt = async (theirs: string): Promise<[number, string]> => {
    const body = { code: 'not_found', detail: 'No route matches /x.', version: theirs };
    const service = createServer((_, response) =>
      response.writeHead(404, { 'content-type': 'application/problem+json' }).end(JSON.stringify(body)),
    );
    await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
    const { port } = service.address() as AddressInfo;
    const ended = await ran(['plans', 'list'], { PIERHEAD_URL: `http://127.0.0.1:${port}`, PIERHEAD_TOKEN: 'svc_x' });
    service.close();
    return ended;
  };

  it('names the version of both when they differ', async () => {
    expect(await failureAt('1.1.0')).toEqual([
      1,
      '✗ No route matches /x. The service is version 1.1.0, this program is version 1.2.3.\n  See which of them to update: pierhead doctor\n',
    ]);
  });

  it('says what the service said when they do not', async () => {
    expect(await failureAt('1.2.4')).toEqual([1, '✗ No route matches /x.\n']);
  });
});

describe('a login', () => {
  it('without an address says what is wrong with PIERHEAD_URL, and asks for no other', async () => {
    const says = expect.stringContaining('"ftp://x.example" is not the address of a service.');
    expect(await ran(['login'], { PIERHEAD_URL: 'ftp://x.example' })).toEqual([2, says]);
  });

  it.each([['--email', 'ann@x.example'], ['--password-stdin'], ['--sign-up']])(
    'with a token takes no %s, which it would ignore',
    async (...options) => {
      const says = expect.stringMatching(/'--token-stdin' cannot be used with option/);
      expect(await ran(['login', 'x.example', '--token-stdin', ...options], {})).toEqual([2, says]);
    },
  );
});
