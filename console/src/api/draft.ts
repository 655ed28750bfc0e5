import { useState } from 'react';
import type { QueryKey } from '@tanstack/react-query';
import { asProblem, type Problem } from './problem';
import { useWrite } from './queries';
import { without } from './without';

/** Something as it was read, and its tag for `If-Match` of a change. */
export interface Tagged<Data> {
  readonly data: Data;
  readonly etag: string | null;
}

/** A person's changes, and the state on which they began; null where they apply to the current state. */
interface Edit<Data, Draft> {
  readonly base: Tagged<Data> | null;
  readonly draft: Draft;
}

/** A change as it is written. */
interface Wanted<Data, Draft> extends Edit<Data, Draft> {
  readonly base: Tagged<Data>;
}

interface DraftOptions<Data, Draft, Conflict> {
  readonly known: Tagged<Data>;
  readonly reread: () => Promise<Tagged<Data>>;
  readonly write: (draft: Draft, etag: string | null) => Promise<unknown>;
  /** Beginnings of the keys of what the change concerns; these queries are asked again. */
  readonly changes: readonly QueryKey[];
  readonly announcement: () => string;
  /** Changes of others since it was read, beside those of the draft. */
  readonly conflictsOf: (before: Data, now: Data, draft: Draft) => readonly Conflict[];
}

/** A change in the making. What somebody else changes meanwhile is shown before anything is written over it. */
export function useDraft<Data, Draft extends object, Conflict extends { readonly name: keyof Draft }>({
  known,
  reread,
  write,
  changes,
  announcement,
  conflictsOf,
}: DraftOptions<Data, Draft, Conflict>) {
  const [edit, setEdit] = useState<Edit<Data, Draft> | null>(null);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const save = useWrite({
    write: async ({ base, draft }: Wanted<Data, Draft>) => {
      for (let before = base; ;)
        try {
          return await write(draft, before.etag);
        } catch (thrown) {
          if (asProblem(thrown).code !== 'precondition_failed') throw thrown;
          // Where others changed nothing that counts, the change is sent again with the new tag.
          const now = await reread();
          const found = conflictsOf(before.data, now.data, draft);
          setEdit({ base: now, draft });
          setConflicts(found);
          if (found.length > 0) throw thrown;
          before = now;
        }
    },
    changes,
    announcement,
  });
  const submit = (wanted: Wanted<Data, Draft>): void => {
    setConflicts([]);
    // Changes made during the write are kept, and apply to the current state.
    const keep = (now: Edit<Data, Draft> | null): Edit<Data, Draft> | null =>
      now === null || now.draft === wanted.draft ? null : { base: null, draft: now.draft };
    save.mutate(wanted, { onSuccess: () => setEdit(keep) });
  };
  /** Changes the draft; an empty one is none. */
  const revise = (revised: (draft: Draft, base: Data) => Draft): void =>
    setEdit((now) => {
      const base = now?.base ?? known;
      const draft = revised(now?.draft ?? ({} as Draft), base.data);
      return Object.keys(draft).length === 0 ? null : { base, draft };
    });
  /** Forgets what was refused. */
  const clear = (): void => {
    setConflicts([]);
    save.reset();
  };
  const problem: Problem | null = save.error?.code === 'precondition_failed' ? null : save.error;
  return {
    base: (edit?.base ?? known).data,
    draft: edit?.draft ?? ({} as Draft),
    isChanged: edit !== null,
    conflicts,
    isBusy: save.isPending,
    problem,
    revise,
    clear,
    discard: () => {
      setEdit(null);
      clear();
    },
    keepTheirs: () => {
      const theirs = conflicts.map(({ name }) => name);
      revise((draft) => without(draft, theirs));
      clear();
    },
    submit: () => edit !== null && submit({ base: edit.base ?? known, draft: edit.draft }),
  };
}
