import type { Notification } from '../../support/purchases.js';
import { partOf, type TakenMail } from '../../support/smtp-server.js';
import { DataSource, purposesOf, storedColumns, type World } from '../../support/app.js';

const CODE = /\b(?:[0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}\b/;

/** Finds the code in a text; fails when there is none. */
export function codeIn(text: string): string {
  const [code] = CODE.exec(text) ?? [];
  if (code === undefined) throw new Error(`No code in: ${text}`);
  return code;
}

export const codeOf = (mail: TakenMail | undefined): string => {
  if (mail === undefined) throw new Error('No mail came');
  return codeIn(partOf(mail, 'text/plain'));
};

/** Adds a claim token to a notification wherever its processor repeats the metadata of the checkout. */
export function withToken(notification: Notification, claimToken: string): Notification {
  const text = JSON.stringify(notification, (name, value: unknown) =>
    name === 'metadata' || name === 'custom_data' ? { ...(value as object | null), claimToken } : value,
  );
  return JSON.parse(text) as Notification;
}

/** Every row of every table as text, as a thief of the database would have it. */
export async function everything(world: World): Promise<string> {
  const source = world.app.get(DataSource);
  const rows: string[] = [];
  for (const { tableName } of source.entityMetadatas)
    for (const { row } of await source.query(`select t::text as row from "${tableName}" t`)) rows.push(row);
  return rows.join('\n');
}

/** Every column that holds one of some texts in any row, as `table.column`, in order. */
export async function columnsWith(world: World, texts: readonly string[]): Promise<readonly string[]> {
  const source = world.app.get(DataSource);
  const found: string[] = [];
  const holdsOne = (value: unknown): boolean => {
    const text = (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase();
    return texts.some((one) => text.includes(one.toLowerCase()));
  };
  for (const { tableName } of source.entityMetadatas) {
    const rows: { row: object }[] = await source.query(`select to_jsonb(t) as row from "${tableName}" t`);
    const held = rows.flatMap(({ row }) => Object.entries(row).filter(([, value]) => holdsOne(value)));
    found.push(...held.map(([column]) => `${tableName}.${column}`));
  }
  return [...new Set(found)].toSorted();
}

/** The columns that are marked as personal data of a buyer or a member, as `table.column`, in order. */
export const personalColumns = (world: World, person: 'buyer' | 'member'): readonly string[] =>
  world.app
    .get(DataSource)
    .entityMetadatas.flatMap(storedColumns)
    .filter((column) => purposesOf(column).personal?.includes(person))
    .map(({ entityMetadata, databaseName }) => `${entityMetadata.tableName}.${databaseName}`)
    .toSorted();
