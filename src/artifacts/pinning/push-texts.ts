import { RequestPipe } from '../../common/http/index.js';
import { InvalidRequest } from '../../common/problems/index.js';
import type { ReleaseNotes } from '../../stores/index.js';
import type { Place } from '../../targets/index.js';
import type { ArtifactEntity } from '../artifact.entity.js';
import type { PushQuery } from '../artifacts.dto.js';
import { PushTexts } from '../version-texts.dto.js';

/** A push with its texts, and the place that its store and target say. */
export type Order = Omit<PushQuery, 'store' | 'target'> & Omit<PushTexts, keyof PushQuery> & { readonly place: Place };

/** The texts in the fields of a form, and whether they are JSON there. */
const FIELDS: Readonly<Record<keyof PushTexts, boolean>> = {
  notes: false,
  localizedNotes: true,
  reviewerNotes: false,
  commit: false,
  justifications: true,
};

/** The texts in the fields of a form. */
export function textsIn(fields: Readonly<Record<string, string>>): PushTexts {
  const given = Object.entries(FIELDS).flatMap(([name, isJson]) => {
    const value = fields[name];
    return value === undefined ? [] : [[name, isJson ? parsed(name, value) : value] as const];
  });
  return new RequestPipe().transform(Object.fromEntries(given), { type: 'body', metatype: PushTexts }) as PushTexts;
}

function parsed(field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidRequest([{ field, message: 'must be a JSON object.' }]);
  }
}

/** The texts of a version that is pinned again. Pure. */
export function textsOf({ notes, localizedNotes, reviewerNotes, justifications, commit }: ArtifactEntity): PushTexts {
  return {
    ...(notes === null ? {} : { notes }),
    ...(localizedNotes === null ? {} : { localizedNotes }),
    ...(reviewerNotes === null ? {} : { reviewerNotes }),
    ...(justifications === null ? {} : { justifications }),
    ...(commit === null ? {} : { commit }),
  };
}

/** A push replaces all release notes of the version, or none. Pure. */
export function releaseNotesOf(
  { notes, localizedNotes }: Order,
  row: Pick<ArtifactEntity, 'notes' | 'localizedNotes'>,
): ReleaseNotes {
  if (notes === undefined && localizedNotes === undefined)
    return { notes: row.notes, localizedNotes: row.localizedNotes ?? {} };
  return { notes: notes ?? null, localizedNotes: localizedNotes ?? {} };
}

export const orNull = <Texts extends object>(texts: Texts): Texts | null =>
  Object.keys(texts).length === 0 ? null : texts;
