import { DataSource, type World } from '../support/app.js';
import type { Said } from '../support/statement-listener.js';

/** What a statement reads: buffers of 8 kB, and rows, of which a buffer may hold hundreds. */
export interface Work {
  readonly buffers: number;
  readonly rows: number;
}

/** A step of a plan that was carried out, and the steps that feed it. */
interface Step {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Step[];
}

type Explained = readonly [{ readonly 'QUERY PLAN': readonly [{ readonly Plan: Step }] }];

const keyOf = ({ text, values }: Said): string => JSON.stringify([text, values]);

/** Whether work grows with the rows, of which there are ten times as many: a deeper index and another plan add some, and reading all of them takes ten times as much. */
export const grows = (few: Work, many: Work): boolean => many.buffers + many.rows > 3 * (few.buffers + few.rows) + 200;

/** Whether a statement reads. What it may write besides, {@link workOf} takes back. */
export const isRead = ({ text }: Said): boolean => /^\s*(?:select|with)\b/i.test(text);

/** Carries out statements again, after giving the planner statistics of all tables. @returns what one of them reads */
export async function workOf(world: World, statements: readonly Said[]): Promise<(statement: Said) => Work> {
  const runner = world.app.get(DataSource).createQueryRunner();
  const known = new Map<string, Work>();
  try {
    await runner.query('vacuum (analyze)');
    await runner.startTransaction();
    await runner.query('set local jit = off');
    // The planner reads a small table as a whole even where it has an index for a large one.
    await runner.query('set local enable_seqscan = off');
    for (const [key, { text, values }] of new Map(statements.map((one) => [keyOf(one), one]))) {
      const explain = `explain (analyze, buffers, timing off, format json) ${text}`;
      const [{ 'QUERY PLAN': plans }] = (await runner.query(explain, [...values])) as Explained;
      const [{ Plan: plan }] = plans;
      known.set(key, { buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], rows: rowsOf(plan) });
    }
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
  return (statement) => known.get(keyOf(statement)) ?? { buffers: 0, rows: 0 };
}

/** The rows that scans look at, whether or not these pass their filters. */
function rowsOf(step: Step): number {
  const looked = step['Node Type'].endsWith('Scan')
    ? (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops']
    : 0;
  return (step.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), looked);
}
