import { parseEnv } from 'node:util';
import type { ProjectSettings } from '../settings/project-settings.js';
import type { StoreId } from '../stores.js';
import { lastingPath } from '../package/index.js';
import { addonId, type Line, type Plan, type StorePlan, unescapePem, versionNote } from './plan.js';

type Env = Readonly<Record<string, string>>;

/** Migration of a variable. */
type Outcome = Pick<Line, 'outcome' | 'note'> & {
  readonly settings?: StorePlan['settings'];
  readonly project?: Partial<ProjectSettings>;
};
type Rule = (value: string) => Outcome;

const left = (note: string): Outcome => ({ outcome: 'left', note });
const set = (settings: StorePlan['settings'], note: string): Outcome => ({ outcome: 'taken', note, settings });
const byDefault: Outcome = { outcome: 'taken', note: 'this is how Pierhead does it anyway' };
const whenTrue =
  (outcome: Outcome): Rule =>
  (value) =>
    value === 'true' ? outcome : byDefault;
const submits = whenTrue(left('Pierhead always submits versions; pause the target instead: pierhead pause'));
const packageOf =
  (store: StoreId): Rule =>
  (path) => ({
    outcome: 'taken',
    note: `package.${store} of pierhead.json${versionNote(path)}`,
    project: { package: { [store]: lastingPath(path) } },
  });

/** The variables of publish-browser-extension that hold no secret, by store: its old names, and those of 6.2. */
const RULES: Readonly<Partial<Record<StoreId, Readonly<Record<string, Rule>>>>> = {
  chrome: {
    CHROME_ZIP: packageOf('chrome'),
    CHROME_EXTENSION_ID: (id) => set({ storeItemId: id.trim().toLowerCase() }, 'the item of the target'),
    CHROME_PUBLISH_TARGET: (value) =>
      value === 'default'
        ? byDefault
        : left("the store's API v2 cannot publish to trusted testers alone; make the beta an item of its own"),
    CHROME_DEPLOY_PERCENTAGE: (value) => percentage(Number(value)),
    CHROME_PUBLISH_TYPE: (value) =>
      value === 'STAGED_PUBLISH'
        ? set({ release: 'manual' }, 'an approved version waits for: pierhead release')
        : byDefault,
    CHROME_REVIEW_EXEMPTION: whenTrue(set({ skipReview: true }, 'skipReview of the target')),
    CHROME_SKIP_REVIEW: whenTrue(set({ skipReview: true }, 'skipReview of the target')),
    CHROME_CANCEL_PENDING: whenTrue(set({ onPending: 'replace' }, 'onPending "replace" of the target')),
    CHROME_SKIP_SUBMIT_REVIEW: submits,
  },
  firefox: {
    FIREFOX_ZIP: packageOf('firefox'),
    FIREFOX_SOURCES_ZIP: (path) => ({
      outcome: 'taken',
      note: `sources of pierhead.json${versionNote(path)}`,
      project: { sources: lastingPath(path) },
    }),
    FIREFOX_EXTENSION_ID: (id) => set({ storeItemId: addonId(id) }, 'the add-on of the target'),
    FIREFOX_CHANNEL: (channel) => set({ channel }, 'channel of the target'),
    FIREFOX_COMPATIBILITY: (value) =>
      set(
        { platforms: value.split(',').map((each) => (each.trim() === 'android' ? 'android' : 'desktop')) },
        'platforms of the target',
      ),
    FIREFOX_AMO_METADATA_FILE: () =>
      left('Pierhead sends what is new and notes for reviewers, from notesFile and reviewerNotesFile of pierhead.json'),
  },
  edge: {
    EDGE_ZIP: packageOf('edge'),
    EDGE_PRODUCT_ID: (id) => set({ storeItemId: id.trim().replaceAll(/^\{|\}$/g, '') }, 'the product of the target'),
    EDGE_CLIENT_SECRET: () => left('it belongs to API v1, which has ended'),
    EDGE_ACCESS_TOKEN_URL: () => left('it belongs to API v1, which has ended'),
    EDGE_SKIP_SUBMIT_REVIEW: submits,
  },
};

/** The variables of each form of a store's credentials, the better form first, and how they make it. */
const FORMS: readonly {
  readonly store: StoreId;
  readonly names: readonly string[];
  readonly make: (values: readonly string[]) => Readonly<Record<string, unknown>>;
}[] = [
  {
    store: 'chrome',
    names: ['CHROME_PUBLISHER_ID', 'CHROME_SERVICE_ACCOUNT_CLIENT_EMAIL', 'CHROME_SERVICE_ACCOUNT_PRIVATE_KEY'],
    make: ([publisherId, client_email, key = '']) => ({
      publisherId,
      serviceAccount: { client_email, private_key: unescapePem(key) },
    }),
  },
  {
    store: 'chrome',
    names: ['CHROME_PUBLISHER_ID', 'CHROME_CLIENT_ID', 'CHROME_CLIENT_SECRET', 'CHROME_REFRESH_TOKEN'],
    make: ([publisherId, clientId, clientSecret, refreshToken]) => ({
      publisherId,
      clientId,
      clientSecret,
      refreshToken,
    }),
  },
  {
    store: 'firefox',
    names: ['FIREFOX_JWT_ISSUER', 'FIREFOX_JWT_SECRET'],
    make: ([issuer, secret]) => ({ issuer, secret }),
  },
  { store: 'edge', names: ['EDGE_CLIENT_ID', 'EDGE_API_KEY'], make: ([clientId, apiKey]) => ({ clientId, apiKey }) },
];

/**
 * Plans the migration of a `.env.submit`.
 * @param publisherId Chrome's publisher id, which the old API did not need
 */
export function planSubmitEnv(text: string, from: string, publisherId?: string): Plan {
  const parsed = Object.entries(parseEnv(text)).map(([name, value]) => [name, value?.trim() ?? ''] as const);
  // In the order of the file; Node.js sorts them.
  parsed.sort(([one], [other]) => text.search(assignmentOf(one)) - text.search(assignmentOf(other)));
  const inFile = Object.fromEntries(parsed.filter(([, value]) => value !== ''));
  const env: Env = publisherId === undefined ? inFile : { CHROME_PUBLISHER_ID: publisherId, ...inFile };
  const outcomes = Object.entries(inFile).map(([name, value]) => ({ name, ...outcomeOf(name, value, env) }));
  const stores = (['chrome', 'firefox', 'edge'] as const).flatMap((store): StorePlan[] => {
    const own = outcomes.filter(({ name }) => name.startsWith(`${store.toUpperCase()}_`));
    if (own.length === 0) return [];
    const form = FORMS.find((each) => each.store === store && isComplete(each.names, env));
    const credentials = form?.make(form.names.map((name) => env[name] ?? '')) ?? null;
    return [{ store, credentials, settings: Object.assign({}, ...own.map(({ settings }) => settings)) as object }];
  });
  const packages: object[] = outcomes.flatMap(({ project }) =>
    project?.package === undefined ? [] : [project.package as object],
  );
  const project = Object.assign({}, ...outcomes.map((each) => each.project)) as Plan['project'];
  return {
    lines: outcomes.map(({ name, outcome, note, settings = {}, project: ofProject = {} }) => {
      const [setting] = Object.keys(settings);
      const store = name.split('_')[0]?.toLowerCase() ?? '';
      const named = Object.keys(ofProject)[0];
      const sets = setting === undefined ? (named === 'package' ? `package.${store}` : named) : `${store}.${setting}`;
      return { from, name, outcome, note, sets };
    }),
    stores,
    project:
      packages.length === 0
        ? project
        : { ...project, package: Object.assign({}, ...packages) as Record<string, string> },
  };
}

const assignmentOf = (name: string): RegExp => new RegExp(String.raw`^\s*(export\s+)?${name}\s*=`, 'm');

const isComplete = (names: readonly string[], env: Env): boolean => names.every((name) => env[name] !== undefined);

function outcomeOf(name: string, value: string, env: Env): Outcome {
  const rule = Object.values(RULES).find((rules) => name in rules)?.[name];
  if (rule !== undefined) return rule(value);
  if (name.startsWith('OPERA_')) return left('Pierhead does not publish to Opera, whose store has no API');
  const forms = FORMS.filter(({ names }) => names.includes(name));
  if (forms.length > 0) return credentialOutcome(name, forms, env);
  return left('Pierhead has no such setting');
}

function credentialOutcome(name: string, forms: typeof FORMS, env: Env): Outcome {
  const store = forms[0]?.store;
  const used = FORMS.find((each) => each.store === store && isComplete(each.names, env));
  if (used?.names.includes(name)) return { outcome: 'taken', note: 'part of the credential' };
  if (used !== undefined) return left('not needed: the service account is used');
  const missing = (forms[0]?.names ?? []).filter((each) => env[each] === undefined);
  return left(
    missing.join() === 'CHROME_PUBLISHER_ID'
      ? 'the new API also wants your publisher id, which the Developer Dashboard shows under Account: add --chrome-publisher'
      : `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
  );
}

function percentage(percent: number): Outcome {
  return Number.isInteger(percent) && percent >= 1 && percent <= 100
    ? set({ rolloutPercent: percent === 100 ? null : percent }, 'rolloutPercent of the target')
    : left('it is not a percentage from 1 to 100');
}
