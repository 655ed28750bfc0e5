import { artifactsFor } from './places';

/** Pushes of a version, as far as a promotion depends on them. */
interface Pin {
  readonly id: string;
  readonly version: string;
  readonly store: string | null;
  readonly targetId: string | null;
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

/** The newest pin for a target: of the version that was last pinned for it, its own package before that of its store, and that before the one for all. */
export function pinFor<Artifact extends Pin>(
  target: Pick<Place, 'id' | 'store'>,
  artifacts: readonly Artifact[],
): Artifact | undefined {
  const own = artifactsFor(target, artifacts);
  const newest = own.toSorted((one, other) => other.pinnedAt.localeCompare(one.pinnedAt))[0];
  return own.find((one) => one.version === newest?.version);
}

/** Versions of a target that other stores can get: the live and the pinned one, where their packages are known. */
export function offersOf<Artifact extends Pin>(
  target: Place,
  { artifacts, releases }: Pushed<Artifact>,
): readonly Artifact[] {
  const { liveVersion } = target.status;
  const released = releases
    .find(({ version }) => version === liveVersion)
    ?.targets.find(({ targetId }) => targetId === target.id);
  const live =
    artifacts.find(({ id }) => id === released?.artifactId) ??
    artifactsFor(target, artifacts).find((one) => one.version === liveVersion);
  const offers = new Set([live, pinFor(target, artifacts)]);
  return [...offers].filter((one) => one !== undefined).filter(({ sha256 }) => sha256 !== null);
}

/** The targets that can be given a version: enabled, at another store, and not driven to it already. */
export const receiversOf = <Target extends Place>(
  store: string,
  version: string,
  targets: readonly Target[],
): readonly Target[] =>
  targets.filter((one) => one.enabled && one.store !== store && one.status.desiredVersion !== version);
