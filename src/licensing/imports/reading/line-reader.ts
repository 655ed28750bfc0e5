import { MAX_LICENSE_SEATS } from '../../plans/pure.js';
import { orderIn, readDate } from './dates.js';
import { foldName, readFlag, sayable, saysNothing } from './fold.js';
import type { Field, ImportWord, Profile } from './profile.js';
import { profileOf } from './profiles/index.js';
import { EVERY_PRODUCT, LEAVE_OUT, type Reading } from './reading.js';

/** A line in the words of an import, why it is none, or null for one that is left out. */
export type ReadRow = Readonly<Partial<Record<Field, string>>> | { readonly fault: string } | null;

/** A long number as a spreadsheet shows it, and then saves it: several orders become the same. */
const SHORTENED = /^\d(?:[.,]\d+)?E\+\d+$/i;
const UNLIMITED = /^(?:unlimited|∞|infinite|infinity)$/i;

/** Reads the rows of a file, whatever its columns are called. Pure. */
export class LineReader {
  private readonly profile: Profile;
  private readonly at: ReadonlyMap<string, number>;
  private readonly places: ReadonlyMap<Field, readonly number[]>;
  private readonly width: number;

  /**
   * @param names of the columns
   * @param tiers of the plans
   * @param now when a license ends whose status says that it has, without a date
   */
  constructor(
    private readonly reading: Reading,
    names: readonly string[],
    private readonly tiers: ReadonlySet<string>,
    private readonly now: Date,
  ) {
    this.profile = profileOf(reading.profile);
    this.width = names.length;
    this.at = new Map(names.map((name, at) => [foldName(name), at] as const).toReversed());
    const entries = Object.entries(reading.columns) as [Field, readonly string[]][];
    this.places = new Map(entries.map(([field, columns]) => [field, columns.map((one) => names.indexOf(one))]));
  }

  /** The cell of the tier, by which the tier of a line is said. */
  productOf(cells: readonly string[]): string {
    return sayable(this.filled(cells, 'tier').join(' / '));
  }

  /** The cell of the status; empty when there is none. */
  statusOf(cells: readonly string[]): string {
    return sayable(this.cellOf(cells, 'status'));
  }

  /** What the date of a row tells of the order of all, as {@link orderIn} does. */
  dateOrderOf(cells: readonly string[]): ReturnType<typeof orderIn> {
    return orderIn(this.cellOf(cells, 'expiresAt'));
  }

  /** Whether the profile says that a row is no license. */
  isLeftOut(cells: readonly string[]): boolean {
    return (this.profile.leftOut ?? []).some(
      ({ column, says, unlessFilled }) =>
        says.includes(foldName(this.named(cells, column))) &&
        (unlessFilled === undefined || this.named(cells, unlessFilled) === ''),
    );
  }

  read(cells: readonly string[]): ReadRow {
    if (this.isLeftOut(cells)) return null;
    const tier = this.tierOf(this.productOf(cells));
    const status = this.gravestOf(cells);
    const seats = this.cellOf(cells, 'maxActivations');
    const expiresAt = readDate(this.cellOf(cells, 'expiresAt'), this.reading.dates);
    if (tier === LEAVE_OUT || status === 'skip') return null;
    if (tier === null) return { fault: faultOfTier(this.productOf(cells)) };
    if (status === null)
      return { fault: `status: ${quoted(this.statusOf(cells))} is not known. Say what it comes to.` };
    if (expiresAt !== null && 'fault' in expiresAt) return { fault: `expiresAt: ${expiresAt.fault}` };
    const shifted = this.faultOfCells(cells);
    if (shifted !== null) return { fault: shifted };
    const ended = status === 'expired' && (expiresAt === null || expiresAt > this.now) ? this.now : expiresAt;
    const line: Partial<Record<Field, string>> = {
      email: this.cellOf(cells, 'email'),
      tier,
      code: this.cellOf(cells, 'code'),
      order: this.cellOf(cells, 'order'),
      status: status === 'expired' ? 'active' : status,
      expiresAt: ended?.toISOString() ?? '',
      maxActivations: UNLIMITED.test(seats) ? String(MAX_LICENSE_SEATS) : seats.replace(/\.0+$/, ''),
      entitlements: this.cellOf(cells, 'entitlements').toLowerCase(),
      metadata: this.cellOf(cells, 'metadata'),
    };
    return Object.fromEntries(Object.entries(line).filter(([, cell]) => cell !== ''));
  }

  /** The tier of a product, `-` when its lines are left out; null when nobody said it. */
  tierOf(product: string): string | null {
    const { tiers } = this.reading;
    const said = Object.hasOwn(tiers, product) ? tiers[product] : undefined;
    return said ?? (this.tiers.has(product) ? product : (tiers[EVERY_PRODUCT] ?? null));
  }

  /** What a status comes to; null for one that nobody knows. */
  wordOf(status: string): ImportWord | null {
    const { statuses } = this.reading;
    const folded = foldName(status);
    if (Object.hasOwn(statuses, status)) return statuses[status] ?? null;
    return Object.hasOwn(this.profile.statuses, folded) ? (this.profile.statuses[folded] ?? null) : null;
  }

  /** What would be read wrongly without being noticed; null for nothing. */
  private faultOfCells(cells: readonly string[]): string | null {
    if (cells.slice(this.width).some((cell) => cell !== ''))
      return 'It has more cells than the file has columns. Quote cells that contain the separator.';
    const shortened = (['code', 'order'] as const).find((field) => SHORTENED.test(this.cellOf(cells, field)));
    return shortened === undefined
      ? null
      : `${shortened}: a spreadsheet has shortened this number. Format the column as text, and export it again.`;
  }

  /** The gravest of what the status and the columns of yes and no say; null for a status that nobody knows. */
  private gravestOf(cells: readonly string[]): ImportWord | null {
    const flags = (this.profile.flags ?? []).filter(
      ({ column, is, unless }) =>
        readFlag(this.named(cells, column)) === is &&
        (unless === undefined || readFlag(this.named(cells, unless)) !== true),
    );
    const said = this.statusOf(cells);
    const word = said === '' ? 'active' : this.wordOf(said);
    if (word === null) return null;
    const words = new Set<ImportWord>([word, ...flags.map(({ means }) => means)]);
    return GRAVEST_FIRST.find((one) => words.has(one)) ?? 'active';
  }

  private named(cells: readonly string[], column: string): string {
    return cells[this.at.get(column) ?? -1] ?? '';
  }

  private filled(cells: readonly string[], field: Field): readonly string[] {
    return (this.places.get(field) ?? []).map((at) => cells[at] ?? '').filter((cell) => !saysNothing(cell));
  }

  private cellOf(cells: readonly string[], field: Field): string {
    return this.filled(cells, field)[0] ?? '';
  }
}

const GRAVEST_FIRST: readonly ImportWord[] = ['skip', 'revoked', 'suspended', 'expired', 'active'];

const faultOfTier = (product: string): string =>
  product === ''
    ? 'tier: is missing. Say which tier lines without one have.'
    : `tier: no tier is said for ${quoted(product)}.`;

const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
