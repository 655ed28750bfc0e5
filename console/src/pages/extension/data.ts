import { useEffect } from 'react';
import { answer, api, useRead, type Read, type Schemas } from '../../api';

export type Target = Schemas['Target'];
export type Artifact = Schemas['Artifact'];
export type Release = Schemas['ReleaseTarget'];
export type StoreDescription = Schemas['StoreDescription'];

const WATCH_EVERY_MS = 60_000;

/** Tells the service, as long as the page is seen, that somebody waits for what stores review. */
export function useWatching(id: string): void {
  useEffect(() => {
    const watch = (): void => {
      if (document.visibilityState === 'visible')
        // Without it, the service asks the stores at its own pace.
        void api.POST('/api/v1/extensions/{id}/watch', { params: { path: { id } } }).catch(() => undefined);
    };
    watch();
    const timer = setInterval(watch, WATCH_EVERY_MS);
    return () => clearInterval(timer);
  }, [id]);
}

/** An extension. */
export const useExtension = (id: string): Read<Schemas['Extension']> =>
  useRead({
    queryKey: ['extensions', id],
    queryFn: ({ signal }) => answer(api.GET('/api/v1/extensions/{id}', { params: { path: { id } }, signal })),
  });

/** The targets of an extension. */
export const useTargets = (id: string): Read<readonly Target[]> =>
  useRead({
    queryKey: ['extensions', id, 'targets'],
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/api/v1/extensions/{id}/targets', { params: { path: { id } }, signal }))).targets,
  });

/** The newest packages of an extension. */
export const useArtifacts = (id: string): Read<readonly Artifact[]> =>
  useRead({
    queryKey: ['extensions', id, 'artifacts'],
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/api/v1/artifacts', { params: { query: { extension: id } }, signal }))).artifacts,
  });

/** The newest versions that set out, with their state at each target. */
export const useReleases = (id: string): Read<readonly Schemas['VersionReleases'][]> =>
  useRead({
    queryKey: ['extensions', id, 'releases'],
    queryFn: async ({ signal }) =>
      (
        await answer(
          api.GET('/api/v1/extensions/{id}/releases', { params: { path: { id }, query: { limit: 50 } }, signal }),
        )
      ).items,
  });

/** Events of a version under its numbers, newest first. */
export const useVersionEvents = (id: string, versions: readonly string[]): Read<readonly Schemas['TimelineEvent'][]> =>
  useRead({
    queryKey: ['extensions', id, 'events', 'of', ...versions],
    queryFn: async ({ signal }) => {
      const read = versions.map((version) =>
        answer(
          api.GET('/api/v1/extensions/{id}/events', {
            params: { path: { id }, query: { version, limit: 100 } },
            signal,
          }),
        ),
      );
      const events = (await Promise.all(read)).flatMap(({ items }) => items);
      return events.toSorted((one, other) => (one.id < other.id ? 1 : -1));
    },
    enabled: versions.length > 0,
  });

/** The numbers of a version: the one that was pushed, and the one that stores show, which differs from a `version_name`. */
export const numbersOf = (version: string, artifacts: readonly Artifact[]): readonly string[] => [
  ...new Set([
    version,
    ...artifacts.flatMap((one) =>
      one.version === version || one.storeVersion === version ? [one.version, one.storeVersion] : [],
    ),
  ]),
];

/** The address of a version's page. */
export const versionPath = (extensionId: string, version: string): string =>
  `/extensions/${extensionId}/versions/${encodeURIComponent(version)}`;

/** Pins an artifact again for a store, or for one target there. */
export const pin = (id: string, body: Schemas['PinAgain']): Promise<unknown> =>
  answer(api.POST('/api/v1/artifacts/{id}/pin', { params: { path: { id } }, body }));
