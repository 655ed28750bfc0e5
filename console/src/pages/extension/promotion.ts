/** Pushes of a version, as far as a promotion depends on them. */
interface Pin {
  readonly id: string;
  readonly version: string;
  readonly store: string | null;
  readonly sha256: string | null;
  readonly pinnedAt: string;
}

interface Place {
  readonly id: string;
  readonly store: string;
  readonly enabled: boolean;
  readonly status: { readonly liveVersion: string | null; readonly desiredVersion: string | null };
}

/** The packages that were pushed of an extension, and their releases. */
export interface Pushed<Artifact extends Pin> {
  readonly artifacts: readonly Artifact[];
  /** Each version that set out, with its state at each target. */
  readonly releases: readonly {
    readonly version: string;
    readonly targets: readonly { readonly targetId: string; readonly artifactId: string }[];
  }[];
}

/** The newest pin for a store: of the version that was last pinned for it, its own package before that for all. */
export function pinFor<Artifact extends Pin>(store: string, artifacts: readonly Artifact[]): Artifact | undefined {
  const own = artifacts.filter((one) => one.store === null || one.store === store);
  const newest = own.toSorted((one, other) => other.pinnedAt.localeCompare(one.pinnedAt))[0];
  return own.find((one) => one.store === store && one.version === newest?.version) ?? newest;
}

/** Versions of a store that other stores can get: the live and the pinned one, where their packages are known. */
export function offersOf<Artifact extends Pin>(
  { id: targetId, store, status: { liveVersion } }: Place,
  { artifacts, releases }: Pushed<Artifact>,
): readonly Artifact[] {
  const released = releases
    .find(({ version }) => version === liveVersion)
    ?.targets.find((one) => one.targetId === targetId);
  const live =
    artifacts.find(({ id }) => id === released?.artifactId) ??
    artifacts.find((one) => one.version === liveVersion && one.store === store) ??
    artifacts.find((one) => one.version === liveVersion && one.store === null);
  const offers = new Set([live, pinFor(store, artifacts)]);
  return [...offers].filter((one) => one !== undefined).filter(({ sha256 }) => sha256 !== null);
}

/** One target of each store that can be given a version: enabled, at another store, and not driven to it already. */
export function receiversOf<Target extends Place>(
  store: string,
  version: string,
  targets: readonly Target[],
): readonly Target[] {
  const others = targets.filter((one) => one.enabled && one.store !== store && one.status.desiredVersion !== version);
  return others.filter((one, index) => others.findIndex((other) => other.store === one.store) === index);
}
