import { plainToInstance, Type } from 'class-transformer';
import {
  Equals,
  IsArray,
  IsInt,
  IsOptional,
  IsISO8601,
  IsString,
  Matches,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
  validateSync,
  type ValidationError,
} from 'class-validator';

/** As PostgreSQL names a table of Pierhead or of a program beside it; a file of the same name stays in its folder. */
const TABLE = /^[^/\\\0"]{1,63}$/;
/** The bounds of a day's partition, as PostgreSQL writes them. */
const DAY_BOUNDS = /^FOR VALUES FROM \('(\d{4}-\d\d-\d\d)'\) TO \('(\d{4}-\d\d-\d\d)'\)$/i;
const LONGEST = 500;

/** The parent of a partition, and its bounds, in PostgreSQL's words. */
export class BackedUpPartition {
  @Matches(TABLE)
  readonly of!: string;

  @IsString()
  @MaxLength(LONGEST)
  readonly bounds!: string;
}

/** A table of a backup. */
export class BackedUpTable {
  @Matches(TABLE)
  readonly name!: string;

  /** Of its file; backups made before manifests were sealed lack it. */
  @IsOptional()
  @Matches(/^[0-9a-f]{64}$/)
  readonly sha256?: string;

  @IsInt()
  @Min(0)
  readonly rows!: number;

  @ValidateIf(({ partition }: BackedUpTable) => partition !== null)
  @ValidateNested()
  @Type(() => BackedUpPartition)
  readonly partition!: BackedUpPartition | null;
}

/** A package of a backup. */
export class BackedUpPackage {
  /** Its key in the blob store. */
  @Matches(/^[0-9a-f]{2}\/[0-9a-f.-]{1,200}$/)
  readonly key!: string;

  @Matches(/^[0-9a-f]{64}$/)
  readonly sha256!: string;
}

class BackedUpKey {
  @IsString()
  @MaxLength(LONGEST)
  readonly setting!: string;

  @IsString()
  @MaxLength(LONGEST)
  readonly id!: string;
}

class PackagesInBucket {
  @IsString()
  @MaxLength(LONGEST)
  readonly bucket!: string;
}

/** The manifest of a backup, which it contains as `manifest.json`. */
export class BackupManifest {
  @Equals(1)
  readonly format!: 1;

  @IsISO8601()
  readonly createdAt!: string;

  /** Version of Pierhead that wrote the backup. */
  @IsString()
  @MaxLength(LONGEST)
  readonly version!: string;

  /** The commit that this version was built from; null when it ran from its sources. */
  @ValidateIf(({ commit }: BackupManifest) => commit !== null)
  @IsString()
  @MaxLength(LONGEST)
  readonly commit!: string | null;

  /** Migrations that had run on its tables, in order. */
  @IsArray()
  @IsString({ each: true })
  @MaxLength(LONGEST, { each: true })
  readonly migrations!: readonly string[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => BackedUpTable)
  readonly tables!: readonly BackedUpTable[];

  /** `included`: the backup contains the packages. `bucket`: the bucket named here keeps them. */
  @ValidateIf(({ packagesIn }: BackupManifest) => packagesIn !== 'included')
  @ValidateNested()
  @Type(() => PackagesInBucket)
  readonly packagesIn!: 'included' | PackagesInBucket;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => BackedUpPackage)
  readonly packages!: readonly BackedUpPackage[];

  /** Packages whose file was gone when the backup was written. */
  @IsArray()
  @IsString({ each: true })
  readonly missingPackages!: readonly string[];

  /** Settings and ids of the keys without which nothing secret in the backup can be read. */
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => BackedUpKey)
  readonly keys!: readonly BackedUpKey[];
}

/**
 * Reads a manifest, which may have been written by anybody.
 * @param written the text of `manifest.json` @param path of the backup, for sentences
 * @throws BackupFault that names the first fault
 */
export function readManifest(written: string, path: string): BackupManifest {
  const json = jsonIn(written);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new BackupFault(`${path} is not a backup: its manifest.json is not a JSON object.`);
  if ('format' in json && typeof json.format === 'number' && json.format > 1)
    throw new BackupFault(`${path} was written by a newer version of Pierhead.`);
  const manifest = plainToInstance(BackupManifest, json);
  const [fault] = validateSync(manifest, { stopAtFirstError: true, forbidUnknownValues: true });
  if (fault !== undefined) throw new BackupFault(`${path} is not a backup: in its manifest.json, ${wordsOf(fault)}.`);
  return manifest;
}

/** A day's partition of a table. */
export interface DayPartition {
  readonly of: string;
  /** The day, and the one after it, as `2030-01-31`. */
  readonly from: string;
  readonly to: string;
}

/** Reads what a partition holds, of which only two days get into a statement. @throws BackupFault for anything but a day's partition */
export function dayPartition(name: string, { of, bounds }: BackedUpPartition): DayPartition {
  const [, from = '', to = ''] = DAY_BOUNDS.exec(bounds) ?? [];
  if (from === '' || name !== `${of}_${from.replaceAll('-', '')}`)
    throw new BackupFault(`The table ${JSON.stringify(name)} of the backup is not the partition of a day.`);
  return { of, from, to };
}

function jsonIn(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

/** The path of the innermost fault, and its message. */
function wordsOf({ property, constraints, children = [] }: ValidationError): string {
  const [inner] = children;
  if (inner !== undefined) return `${property}: ${wordsOf(inner)}`;
  return Object.values(constraints ?? {})[0] ?? `${property} is wrong`;
}

/** A backup cannot be written, read or restored, for a reason that the operator can act on. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault';
}
