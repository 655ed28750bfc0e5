import { describe, expect, it } from 'vitest';
import { Failure } from '../failure.js';
import { linked } from './style.js';
import { Terminal, type OutputOptions } from './terminal.js';

class Screen {
  written = '';
  readonly columns = 40;

  constructor(readonly isTTY: boolean) {}

  write(text: string): boolean {
    this.written += text;
    return true;
  }
}

function terminalWith(
  options: OutputOptions & { readonly isTTY?: boolean; readonly env?: Readonly<Record<string, string>> } = {},
): { readonly terminal: Terminal; readonly stdout: Screen; readonly stderr: Screen } {
  const { isTTY = false, env = {}, ...output } = options;
  const [stdout, stderr] = [new Screen(isTTY), new Screen(isTTY)];
  return { terminal: new Terminal({ stdin: { isTTY }, stdout, stderr }, env, output), stdout, stderr };
}

describe('the result of a command', () => {
  it('goes to standard output, as text or as JSON', () => {
    const text = terminalWith();
    text.terminal.result({ version: '1.0.0' }, ({ version }) => `Version ${version}`);
    expect([text.stdout.written, text.stderr.written]).toEqual(['Version 1.0.0\n', '']);
    const json = terminalWith({ json: true });
    json.terminal.result({ version: '1.0.0' }, ({ version }) => `Version ${version}`);
    expect(JSON.parse(json.stdout.written)).toEqual({ version: '1.0.0' });
  });

  it('of a stream is one line each', () => {
    const { terminal, stdout } = terminalWith({ json: true });
    for (const n of [1, 2]) terminal.item({ n }, String);
    expect(stdout.written).toBe('{"n":1}\n{"n":2}\n');
  });

  it('is never hidden by --quiet, which hides notes', () => {
    const { terminal, stdout, stderr } = terminalWith({ quiet: true });
    terminal.note('Uploading');
    terminal.lines().show([{ text: 'live', plain: 'live' }]);
    terminal.result('done', String);
    expect([stdout.written, stderr.written]).toEqual(['done\n', '']);
  });
});

it('nothing that a service or a store says moves the cursor', () => {
  const { terminal, stdout, stderr } = terminalWith({ isTTY: true });
  const evil = 'evil\u001B[2J\u0007';
  terminal.note(evil);
  terminal.tell(evil);
  terminal.warn(evil);
  terminal.fail(new Failure(evil, { hint: evil, errors: [{ field: evil, message: evil }] }));
  terminal.result(evil, String);
  terminal.item(evil, String);
  expect(stdout.written).toBe('evil[2J\nevil[2J\n');
  expect(stderr.written).not.toContain('\u001B[2J');
  expect(stderr.written).not.toContain('\u0007');
  terminal.lines().show([{ text: 'evil\u001B[5A\nline', plain: '' }]);
  expect(stderr.written).toContain('\u001B[Jevil[5A line\n');
});

describe('the width of a terminal', () => {
  it.each([
    [true, 120, 120],
    [true, 0, 80],
    [false, 0, undefined],
  ])('is known where there is one: %s, %d', (isTTY, columns, width) => {
    const stream = { isTTY, columns, write: () => true };
    expect(new Terminal({ stdin: {}, stdout: stream, stderr: stream }, {}).style.width).toBe(width);
  });

  it('breaks what is read, and not what is copied', () => {
    const { terminal, stdout, stderr } = terminalWith({ isTTY: true });
    const long = 'The store has approved the version that was pushed.';
    terminal.note(long);
    terminal.result(long, String);
    terminal.data(long, String);
    const broken = 'The store has approved the version that\nwas pushed.\n';
    expect([stderr.written, stdout.written]).toEqual([broken, `${broken}${long}\n`]);
  });
});

describe('colors', () => {
  it.each([
    ['in a terminal', true, {}, true],
    ['in no file', false, {}, false],
    ['not with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['also with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['in a file with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
    ['not with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
    ['not in a dumb terminal', true, { TERM: 'dumb' }, false],
  ])('are used %s', (_case, isTTY, env, expected) => {
    expect(terminalWith({ isTTY, env }).terminal.style('red', 'x') !== 'x').toBe(expected);
  });

  it('are never in JSON', () => {
    expect(terminalWith({ isTTY: true, json: true }).terminal.style('red', 'x')).toBe('x');
  });
});

describe('links', () => {
  it.each([
    ['in a terminal that opens them', true, { TERM_PROGRAM: 'WezTerm' }, true],
    ['in kitty', true, { TERM: 'xterm-kitty' }, true],
    ['in a recent VTE', true, { VTE_VERSION: '7600' }, true],
    ['not in an old VTE', true, { VTE_VERSION: '5003' }, false],
    ['not in an unknown terminal', true, { TERM: 'xterm' }, false],
    ['not in a multiplexer', true, { TERM: 'tmux-256color', VTE_VERSION: '7600' }, false],
    ['not in a dumb terminal', true, { TERM: 'dumb', WT_SESSION: '1' }, false],
    ['not in CI', true, { WT_SESSION: '1', CI: 'true' }, false],
    ['not in a file', false, { WT_SESSION: '1' }, false],
    ['where they are forced', false, { FORCE_HYPERLINK: '1' }, true],
    ['nowhere once they are off', true, { FORCE_HYPERLINK: '0', WT_SESSION: '1' }, false],
  ])('are made %s', (_case, isTTY, env, expected) => {
    const { terminal, stdout } = terminalWith({ isTTY, env });
    terminal.result('https://example.com/', (url) => linked(terminal.style, url, 'here'));
    expect(stdout.written.includes('\u001B]8;;https://example.com/')).toBe(expected);
  });

  it('are never in JSON', () =>
    expect(terminalWith({ env: { FORCE_HYPERLINK: '1' }, json: true }).terminal.style.hasLinks).toBe(false));
});

describe('characters besides ASCII', () => {
  it.each([
    ['where no locale is named', true, {}, '● 1.3.2 → 1.4.0 “é”…'],
    ['in UTF-8', true, { LANG: 'en_US.UTF-8', LC_ALL: '' }, '● 1.3.2 → 1.4.0 “é”…'],
    ['in a file', false, { LC_ALL: 'C', TERM: 'dumb' }, '● 1.3.2 → 1.4.0 “é”…'],
    ['not in another charset', true, { LC_ALL: 'C', LANG: 'en_US.UTF-8' }, '* 1.3.2 > 1.4.0 "é"~'],
    ['not in a dumb terminal', true, { TERM: 'dumb' }, '* 1.3.2 > 1.4.0 "é"~'],
  ])('are printed %s', (_case, isTTY, env, printed) => {
    const { terminal, stdout } = terminalWith({ isTTY, env });
    terminal.result('● 1.3.2 → 1.4.0 “é”…', String);
    expect(stdout.written).toBe(`${printed}\n`);
  });

  it('are never changed in JSON', () => {
    const { terminal, stdout } = terminalWith({ isTTY: true, env: { LC_ALL: 'C' }, json: true });
    terminal.result('…', String);
    expect(stdout.written).toBe('"…"\n');
  });
});

describe('a person is asked', () => {
  it.each([
    ['in a terminal', {}, {}, true],
    ['not with --no-input', { input: false }, {}, false],
    ['not in CI', {}, { CI: 'true' }, false],
    ['where CI is false', {}, { CI: 'false' }, true],
  ])('%s', (_case, options, env, expected) => {
    expect(terminalWith({ isTTY: true, env, ...options }).terminal.isInteractive).toBe(expected);
  });

  it('only where input and errors are a terminal', () => {
    expect(terminalWith().terminal.isInteractive).toBe(false);
  });
});

describe('lines that change', () => {
  const at = (percent: number): { text: string; plain: string } => ({ text: `${percent} %`, plain: 'uploading' });

  it('are printed once each without a terminal', () => {
    const { terminal, stderr } = terminalWith();
    const lines = terminal.lines();
    lines.show([at(1)]);
    lines.show([at(2)]);
    lines.show([{ text: 'live', plain: 'live' }]);
    lines.clear();
    expect(stderr.written).toBe('uploading\nlive\n');
  });

  it('are redrawn in a terminal, cut to its width, and removed in the end', () => {
    const { terminal, stderr } = terminalWith({ isTTY: true });
    const lines = terminal.lines();
    lines.show([at(1)]);
    lines.show([{ text: 'x'.repeat(100), plain: 'x' }]);
    lines.clear();
    lines.clear();
    const redraw = '\u001B[1A\r\u001B[J';
    expect(stderr.written).toBe(`\u001B[J1 %\n${redraw}${'x'.repeat(38)}…\n${redraw}`);
  });
});

it('a note is printed above the lines that are redrawn, and leaves nothing of them behind', () => {
  const { terminal, stderr } = terminalWith({ isTTY: true });
  const lines = terminal.lines();
  lines.show([{ text: '1 %', plain: '' }]);
  terminal.note('Waiting.');
  lines.clear();
  terminal.note('Done.');
  const redraw = '\u001B[1A\r\u001B[J';
  expect(stderr.written).toBe(`\u001B[J1 %\n${redraw}Waiting.\n\u001B[J1 %\n${redraw}Done.\n`);
});

it('a failure says what is wrong, field by field, what to do, and which request it was', () => {
  const { terminal, stderr } = terminalWith();
  terminal.fail(
    new Failure('The request is invalid.', {
      errors: [{ field: 'name', message: 'must not be empty.' }],
      hint: 'pierhead push --help',
      requestId: '01a1',
    }),
  );
  expect(stderr.written).toBe(
    '✗ The request is invalid.\n  name: must not be empty.\n  pierhead push --help\n  request 01a1\n',
  );
});

it.each([
  ['email: must be an e-mail address.', ['email']],
  ['email: must be an e-mail address. password: must be an e-mail address.', ['email', 'password']],
])('a failure whose message has its faults in it says them once: %s', (message, fields) => {
  const { terminal, stderr } = terminalWith();
  const errors = fields.map((field) => ({ field, message: 'must be an e-mail address.' }));
  terminal.fail(new Failure(message, { errors }));
  expect(stderr.written).toBe(`✗ ${message}\n`);
});
