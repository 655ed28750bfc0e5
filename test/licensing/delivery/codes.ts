import type { Notification } from '../../support/purchases.js';
import { partOf, type TakenMail } from '../../support/smtp-server.js';
import { DataSource, type World } from '../../support/app.js';

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
