import { EXIT, Failure, usageFailure } from '../failure.js';
import { readCsv } from './csv.js';
import { choosePlan, type Plan } from './plans.js';
import { expiryOf } from './expiry.js';

/** A license to issue, as a row of a file asks for it. */
export interface Wish {
  /** The line of the file, from 1. */
  readonly line: number;
  readonly plan: Plan;
  readonly buyerEmail: string;
  readonly expiresAt: string | null;
  readonly maxActivations: number | null;
}

const COLUMNS = ['email', 'plan', 'expires', 'devices'] as const;
type Column = (typeof COLUMNS)[number];
type Cells = Readonly<Partial<Record<Column, string>>>;

const MAX_DEVICES = 100;

/**
 * Reads which licenses a CSV asks for. Its first row names the columns: `email`, and as wished `plan`, `expires` and `devices`.
 * @param wanted the plan of rows that name none
 * @throws Failure with every fault, so that a file is issued whole or not at all
 */
export function wishesOf(text: string, plans: readonly Plan[], wanted: string | undefined, now: Date): Wish[] {
  const [head = [], ...rows] = readCsv(text.replace(/^\uFEFF/, ''));
  const columns = head.map((name) => name.trim().toLowerCase());
  const unknown = columns.filter((name) => !COLUMNS.some((column) => column === name));
  if (!columns.includes('email') || unknown.length > 0)
    throw usageFailure(
      unknown.length > 0 ? `The CSV has a column "${unknown[0]}".` : 'The CSV has no column "email".',
      `Its first row names the columns: ${COLUMNS.join(', ')}. Only email is required.`,
    );
  const errors: { field: string; message: string }[] = [];
  const wishes = rows.flatMap((row, at) => {
    if (row.every((cell) => cell.trim() === '')) return [];
    const line = at + 2;
    const cells: Cells = Object.fromEntries(columns.map((name, place) => [name, (row[place] ?? '').trim()]));
    try {
      return [wishOf(line, cells, plans, wanted, now)];
    } catch (error) {
      errors.push({ field: `line ${line}`, message: (error as Error).message });
      return [];
    }
  });
  if (errors.length > 0)
    throw new Failure('The CSV cannot be used. Nothing was issued.', { exitCode: EXIT.usage, errors });
  return wishes;
}

function wishOf(
  line: number,
  { email = '', plan = '', expires = '', devices = '' }: Cells,
  plans: readonly Plan[],
  wanted: string | undefined,
  now: Date,
): Wish {
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw usageFailure(`"${email}" is no mail address.`);
  return {
    line,
    plan: choosePlan(plans, plan === '' ? wanted : plan),
    buyerEmail: email,
    expiresAt: expires === '' ? null : expiryOf(expires, now),
    maxActivations: devices === '' ? null : devicesOf(devices),
  };
}

/** A number of devices. @throws Failure for what is none */
export function devicesOf(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_DEVICES)
    throw usageFailure(`"${text}" is no number of devices from 1 to ${MAX_DEVICES}.`);
  return count;
}
