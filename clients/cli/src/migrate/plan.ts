import { isId, type Schema } from '../api/service.js';
import { lastingPath } from '../package/index.js';
import type { ProjectSettings } from '../settings/project-settings.js';
import { storesThat, type StoreId } from '../stores.js';

/** One setting of another tool and what `migrate` does with it. It never holds the value, which may be a secret. */
export interface Line {
  /** The file that contains it, or the environment. */
  readonly from: string;
  readonly name: string;
  readonly outcome: 'taken' | 'left';
  /** Its new form, or the reason that it cannot be taken over. */
  readonly note: string;
}

/** A line of a plan, with what it would set: settings of a target as `firefox.channel`, or of pierhead.json. */
export interface PlannedLine extends Line {
  readonly sets?: string | readonly string[] | undefined;
}

/** The credentials and settings that one store gets. */
export interface StorePlan {
  readonly store: StoreId;
  /** As the service takes them; null when there are none, or they are not complete. */
  readonly credentials: Readonly<Record<string, unknown>> | null;
  readonly settings: Partial<Schema<'UpdateTarget'>>;
}

/** Migration of the settings of one tool. */
export interface Plan {
  readonly lines: readonly PlannedLine[];
  readonly stores: readonly StorePlan[];
  /** For pierhead.json. */
  readonly project: Partial<ProjectSettings>;
}

/** The stores that take a package; a build for the App Store comes from Xcode. */
const PACKAGED = storesThat('requiresArtifact');
/** Settings of one package for all stores. */
export const PACKAGE_OF_EACH: readonly string[] = PACKAGED.map((store) => `package.${store}`);

/** Several plans as one; where two set the same thing, the first counts. */
export function merged(plans: readonly Plan[]): Plan & { readonly lines: readonly Line[] } {
  const stores = new Map<StoreId, StorePlan>();
  for (const { store, credentials, settings } of plans.flatMap((plan) => plan.stores)) {
    const first = stores.get(store);
    stores.set(store, {
      store,
      credentials: first?.credentials ?? credentials,
      settings: { ...settings, ...first?.settings },
    });
  }
  return {
    lines: linesOf(plans),
    stores: [...stores.values()],
    project: {
      ...(Object.assign({}, ...plans.map(({ project }) => project).toReversed()) as Plan['project']),
      ...packagesOf(plans),
    },
  };
}

/** One package for all stores counts for those that have none of their own. */
function packagesOf(plans: readonly Plan[]): Pick<Plan['project'], 'package'> {
  const all = plans.flatMap(({ project }) => (project.package === undefined ? [] : [project.package]));
  const own = all.filter((each) => typeof each === 'object');
  const common = all.find((each) => typeof each === 'string');
  if (common === undefined || own.length === 0) return all[0] === undefined ? {} : { package: all[0] };
  const others = Object.fromEntries(PACKAGED.map((store) => [store, common]));
  return { package: Object.assign(others, ...own.toReversed()) as Record<string, string> };
}

/** A later plan leaves the settings of an earlier one. */
function linesOf(plans: readonly Plan[]): Line[] {
  const setBy = new Map<string, string>();
  return plans.flatMap(({ lines }) => {
    const own = lines.map(({ sets, ...line }): Line => {
      const firsts = namesOf(sets).map((name) => setBy.get(name));
      const [first] = firsts;
      return first === undefined || firsts.includes(undefined)
        ? line
        : { ...line, outcome: 'left', note: `${first} says it already, and counts` };
    });
    for (const { sets, from, outcome } of lines)
      for (const name of namesOf(sets)) if (outcome === 'taken' && !setBy.has(name)) setBy.set(name, from);
    return own;
  });
}

const namesOf = (sets: PlannedLine['sets']): readonly string[] =>
  sets === undefined ? [] : typeof sets === 'string' ? [sets] : sets;

/** Migration of a path that contains a version. */
export const versionNote = (path: string): string =>
  lastingPath(path) === path ? '' : ', with {version} for any version';

/** A PEM whose line breaks are written as the two characters `\n`, as variables and one-line files have them. */
export const unescapePem = (text: string): string =>
  text
    .replaceAll(String.raw`\r`, '')
    .replaceAll(String.raw`\n`, '\n')
    .trim();

/**
 * An add-on's id as its manifest has it: a UUID in braces, anything else without. Other tools take braces off, or put them on, and AMO
 * does not find the add-on then.
 */
export function addonId(text: string): string {
  const bare = text.trim().replaceAll(/^\{|\}$/g, '');
  return isId(bare) ? `{${bare}}` : bare;
}
