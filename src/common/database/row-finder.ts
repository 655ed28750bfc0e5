import { Batcher } from '../batcher/index.js';
import { arrayText, SHARING_STATEMENTS, type Statement, type Statements } from './statements.js';

/** Nobody is shed: whoever waits here would have waited for a connection instead. */
const BATCHES = { ...SHARING_STATEMENTS, mostWaiting: Infinity };

/**
 * Finds rows by their ids, for hot routes. Those that are looked for at the same moment share one statement, which begins after the last
 * of them was asked for: nobody is told what was so before he asked.
 */
export class RowFinder<Row extends readonly [id: string, ...columns: unknown[]]> {
  private readonly batcher: Batcher<string, Row | null>;

  /** @param statement that takes a list of ids, and returns the id of each row before its other columns */
  constructor(
    private readonly statements: Statements,
    private readonly statement: Statement,
  ) {
    this.batcher = new Batcher<string, Row | null>((ids) => this.findAll(ids), BATCHES);
  }

  /** The row with an id, which is a UUID; null when there is none. Fails with the driver's own error. */
  find(id: string): Promise<Row | null> {
    return this.batcher.add(id.toLowerCase());
  }

  private async findAll(ids: readonly string[]): Promise<readonly (Row | null)[]> {
    const rows = await this.statements.rows<Row>(this.statement, [arrayText([...new Set(ids)])]);
    const byId = new Map(rows.map((row) => [row[0], row]));
    return ids.map((id) => byId.get(id) ?? null);
  }
}
