/** What the lines of an import have. */
export const IMPORT_COLUMNS = [
  'email',
  'tier',
  'code',
  'order',
  'status',
  'expiresAt',
  'maxActivations',
  'entitlements',
  'metadata',
] as const;

/** A row as an object of its filled cells. */
export interface ReadLine {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}
