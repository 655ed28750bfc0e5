import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { authorAt, type Author } from './author.js';
import { PseudoTerminal } from './pseudo-terminal.js';

const LONG = 'Tab Counter for People with Far Too Many Windows and Not Enough Time to Close Any of Them';
const CHINESE = '为打开太多窗口而没有时间关闭其中任何一个的人们准备的标签页计数器扩展程序的完整版';

describe('the tables of a terminal', () => {
  let world: World;
  let author: Author;
  beforeAll(async () => {
    world = await startWorld();
    author = await authorAt(world, ['chrome', 'firefox', 'edge'], LONG);
    await world.given.extension(author, CHINESE);
  });
  afterAll(async () => {
    await author.shell.close();
    await world.close();
  });

  const linesAt = async (columns: number, ...args: readonly string[]): Promise<string[]> => {
    const terminal = PseudoTerminal.run(author.shell, args, {}, columns);
    expect(await terminal.ends()).toBe(0);
    return terminal.said.trimEnd().split('\r\n');
  };
  /** Characters of this test that are not Latin take two columns. */
  const widthOf = (line: string): number => line.replaceAll(/\p{sc=Han}/gu, 'xx').length;

  it.each([80, 120])('fit into its %d columns, and no word is broken', async (columns) => {
    for (const args of [['status'], ['status', LONG], ['next', LONG]]) {
      const lines = await linesAt(columns, ...args);
      expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
      const { stdout, stderr } = await author.shell.run(args);
      const whole = `${stderr}${stdout}`.split(/\s+/);
      const cut = lines.flatMap((line) => line.split(/\s+/)).filter((word) => !/\p{sc=Han}/u.test(word));
      expect(cut.map((word) => word.replace(/…$/, '')).filter((word) => !whole.includes(word))).toEqual([]);
    }
  });

  it('have all that a pipe gets, where there is room', async () => {
    const { stdout, stderr } = await author.shell.run(['status']);
    expect(await linesAt(400, 'status')).toEqual(`${stderr}${stdout}`.trimEnd().split('\n'));
    expect(stdout).toContain(LONG);
    expect(stdout).toContain(CHINESE);
    expect(stdout).not.toContain('…');
  });

  it('lose stores that nothing is published at before the name of an extension is cut', async () => {
    const [totals, heads, one, other] = await linesAt(120, 'status');
    expect(totals).toBe('3 off');
    expect(heads).toMatch(/EXTENSION +CHROME +FIREFOX +EDGE$/);
    expect(one).toMatch(/^ {2}Tab Counter for People .*… +– nothing pushed +– nothing pushed +– nothing pushed$/);
    expect(other).toMatch(/^ {2}为打开太多窗口.*… +— +— +—$/);
  });

  it('begin with what needs somebody, below the totals', async () => {
    const { shell } = author;
    const id = await world.given.extension(author, 'Incomplete');
    const targetId = await world.given.targetOf(author, id, 'edge');
    expectStatus(await world.api.as(author).patch(`/extensions/${id}/targets/${targetId}`, { enabled: true }), 200);
    expect(await shell.run(['status'])).toMatchObject({
      stdout: expect.stringMatching(/^.*EXTENSION.*\n {2}Incomplete .* ! /),
      stderr: '1 needs you, 3 off\n',
    });
    expect(await shell.run(['next', 'Incomplete'])).toMatchObject({ stdout: expect.stringContaining('! needs you') });
    expect(await shell.run(['status', '--json'])).toMatchObject({ stderr: '' });
  });
});
