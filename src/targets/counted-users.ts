/** Tells how many users stores count. The folder that keeps the figures provides it. */
export abstract class CountedUsers {
  /** The users that the stores last counted, by target; without those whose store told none. */
  abstract of(targetIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
