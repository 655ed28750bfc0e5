/** A target, as far as pins depend on it. */
interface Place {
  readonly id: string;
  readonly store: string;
  readonly enabled: boolean;
}

/** What an artifact is for. */
interface Scope {
  /** Null for every store. */
  readonly store: string | null;
  /** Null for every target there. */
  readonly targetId: string | null;
}

const isOneOfSeveral = ({ store }: Place, targets: readonly Place[]): boolean =>
  targets.filter((one) => one.enabled && one.store === store).length > 1;

/** The targets of which a push has to name one: all that are enabled, where a store has several; else none. */
export const choicesOf = <Target extends Place>(targets: readonly Target[]): readonly Target[] => {
  const enabled = targets.filter((one) => one.enabled);
  return enabled.some((one) => isOneOfSeveral(one, enabled)) ? enabled : [];
};

/** How a request names a target: by its store, and by its id where the store has several that are enabled. */
export const placeOf = <Target extends Place>(
  target: Target,
  targets: readonly Target[],
): { readonly store: Target['store']; readonly target?: string } =>
  isOneOfSeveral(target, targets) ? { store: target.store, target: target.id } : { store: target.store };

const widthOf = ({ store, targetId }: Scope): number => (store === null ? 2 : targetId === null ? 1 : 0);

/** The artifacts that are for a target: those for it alone, then those of its store, then those for all. */
export const artifactsFor = <Artifact extends Scope>(
  { id, store }: Pick<Place, 'id' | 'store'>,
  artifacts: readonly Artifact[],
): readonly Artifact[] =>
  artifacts
    .filter((one) => one.store === null || (one.store === store && (one.targetId ?? id) === id))
    .toSorted((one, other) => widthOf(one) - widthOf(other));
