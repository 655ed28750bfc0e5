/** Path at which GitHub finds the workflow. */
export const WORKFLOW_FILE = '.github/workflows/publish.yml';
/** The runs that may push: those for a tag such as v1.4.0. */
export const TAG_REF = 'refs/tags/v*';

/** Facts about a project for its workflow. */
export interface Publishing {
  readonly url: string;
  /** The id of the tenant whose trust rule admits the repository. */
  readonly tenantId: string;
  readonly extension: { readonly id: string; readonly name: string };
  /** Relative to the repository; null where a push finds it. */
  readonly package: string | null;
  readonly sources: string | null;
  /** Command that builds the package. */
  readonly build: readonly BuildStep[];
}

/** The same where a push finds the extension: it is the only one, or pierhead.json names it. */
type OfAnyExtension = Omit<Publishing, 'extension'> & { readonly extension: Publishing['extension'] | null };

/** A command, and the folder that it runs in, relative to the repository; empty for the repository itself. */
export interface BuildStep {
  readonly run: string;
  readonly folder: string;
}

/** A value as a shell takes it. */
const quoted = (value: string): string =>
  /^[\w./:-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;

/** The workflow that publishes each tag, without a stored secret: the job's own token is exchanged for one of the service. Pure. */
export const workflowOf = (publishing: OfAnyExtension): string =>
  [
    '# Publishes each tag such as v1.4.0 to every store. A trust rule of the service admits this repository, so there is no secret.',
    'name: Publish',
    'on:',
    '  push:',
    "    tags: ['v*']",
    'permissions:',
    '  contents: read',
    '  id-token: write',
    'jobs:',
    ...jobOf('publish', publishing),
    '',
  ].join('\n');

/**
 * The workflow with a job more, for another extension of the repository. What is there stays as it is. Pure.
 * @returns null for a workflow that does not push tags with Pierhead, or is not written in lines
 */
export function withAnotherJob(workflow: string, publishing: Publishing): string | null {
  const lines = workflow.split('\n');
  const jobs = lines.findIndex((line) => /^jobs:\s*(#.*)?$/.test(line));
  const [, indent] = /^( +)[\w-]+:/.exec(lines.slice(jobs + 1).find((line) => /^ *[^\s#]/.test(line)) ?? '') ?? [];
  const isOurs = /^[^#\n]*\bpierhead\b.*\bpush\b/m.test(workflow) && /^\s+tags:/m.test(workflow);
  if (jobs === -1 || indent === undefined || !isOurs) return null;
  const { id, name } = publishing.extension;
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const isTaken = (job: string): boolean => lines.some((line) => line.startsWith(`${indent}${job}:`));
  const job = [`publish-${words}`, `publish-${id}`].find((each) => !each.endsWith('-') && !isTaken(each)) ?? id;
  const after = lines.findIndex((line, at) => at > jobs && /^[^\s#]/.test(line));
  let end = after === -1 ? lines.length : after;
  while (/^\s*(#.*)?$/.test(lines[end - 1] ?? 'job')) end -= 1;
  const eol = workflow.includes('\r\n') ? '\r' : '';
  const added = jobOf(job, publishing, PERMISSIONS).map((line) => indent + line.slice(2) + eol);
  return lines.toSpliced(end, 0, eol, ...added).join('\n');
}

/** Of a job in a workflow that may give them to others only. */
const PERMISSIONS = ['    permissions:', '      contents: read', '      id-token: write'];

/** The lines of a job, which are indented by two. */
function jobOf(
  job: string,
  { url, tenantId, extension, package: path, sources, build }: OfAnyExtension,
  permissions: readonly string[] = [],
): readonly string[] {
  const push = [
    `npx --yes ${quoted(`${url}/cli/pierhead.tgz`)} push`,
    ...(path === null ? [] : [quoted(path)]),
    ...(extension === null ? [] : [`--extension ${extension.id}`]),
    ...(sources === null ? [] : [`--sources ${quoted(sources)}`]),
    '--wait submitted',
  ];
  return [
    `  ${job}:`,
    '    runs-on: ubuntu-latest',
    ...permissions,
    '    steps:',
    '      - uses: actions/checkout@v4',
    '      - uses: actions/setup-node@v4',
    '        with:',
    '          node-version: 24',
    ...build.flatMap(({ run, folder }) => [
      `      - run: ${run}`,
      ...(folder === '' ? [] : [`        working-directory: ${JSON.stringify(folder)}`]),
    ]),
    ...(extension === null ? [] : [`      # ${extension.name.replaceAll(/\s+/g, ' ')}`]),
    '      - run: |',
    `          ${push.join(' ')}`,
    '        env:',
    `          PIERHEAD_URL: ${JSON.stringify(url)}`,
    `          PIERHEAD_TENANT: ${tenantId}`,
  ];
}
