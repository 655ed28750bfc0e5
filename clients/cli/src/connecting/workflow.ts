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
  /** The app that brings the extension to Safari; null where it is not published there. */
  readonly safari: SafariApp | null;
}

/** An app for macOS that a Mac makes of the extension. */
export interface SafariApp {
  /** The built extension, a folder or a zip, relative to the repository; `{version}` and `*` stand for what changes. */
  readonly built: string;
  readonly name: string;
  /** Null where only its number at the App Store is known. */
  readonly bundleId: string | null;
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
    ...jobsOf('publish', publishing),
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
  const added = jobsOf(job, publishing, PERMISSIONS).map((line) => (line === '' ? '' : indent + line.slice(2)) + eol);
  return lines.toSpliced(end, 0, eol, ...added).join('\n');
}

/** Of a job in a workflow that may give them to others only. */
const PERMISSIONS = ['    permissions:', '      contents: read', '      id-token: write'];

/** The lines of an extension's jobs, which are indented by two: one for all stores, and a Mac's for Safari. */
function jobsOf(job: string, publishing: OfAnyExtension, permissions: readonly string[] = []): readonly string[] {
  const { package: path, sources, safari } = publishing;
  const own = [
    `  ${job}:`,
    '    runs-on: ubuntu-latest',
    ...permissions,
    '    steps:',
    ...stepsBefore(publishing),
    ...pushStep(publishing, [
      ...(path === null ? [] : [quoted(path)]),
      ...(sources === null ? [] : [`--sources ${quoted(sources)}`]),
    ]),
  ];
  return safari === null ? own : [...own, '', ...macJobOf(`${job}-safari`, publishing, safari, permissions)];
}

/** The steps that build the package. */
const stepsBefore = ({ build }: OfAnyExtension): readonly string[] => [
  '      - uses: actions/checkout@v4',
  '      - uses: actions/setup-node@v4',
  '        with:',
  '          node-version: 24',
  ...build.flatMap(({ run, folder }) => [
    `      - run: ${run}`,
    ...(folder === '' ? [] : [`        working-directory: ${JSON.stringify(folder)}`]),
  ]),
];

/** The step that pushes, with its arguments. */
function pushStep({ url, tenantId, extension }: OfAnyExtension, given: readonly string[]): readonly string[] {
  const push = [
    `npx --yes ${quoted(`${url}/cli/pierhead.tgz`)} push`,
    ...given.slice(0, 1),
    ...(extension === null ? [] : [`--extension ${extension.id}`]),
    ...given.slice(1),
    '--wait submitted',
  ];
  return [
    ...(extension === null ? [] : [`      # ${extension.name.replaceAll(/\s+/g, ' ')}`]),
    '      - run: |',
    `          ${push.join(' ')}`,
    '        env:',
    `          PIERHEAD_URL: ${JSON.stringify(url)}`,
    `          PIERHEAD_TENANT: ${tenantId}`,
  ];
}

/** What signs the app: a key of App Store Connect, by which Apple gives out certificates, so that none is stored. */
const SIGNING = [
  '-allowProvisioningUpdates',
  '-authenticationKeyPath "$RUNNER_TEMP/key.p8"',
  '-authenticationKeyID "$APPLE_KEY_ID"',
  '-authenticationKeyIssuerID "$APPLE_ISSUER_ID"',
].join(' ');

/** The lines of the job that makes, signs and pushes the app for macOS. */
function macJobOf(
  job: string,
  publishing: OfAnyExtension,
  { built, name, bundleId }: SafariApp,
  permissions: readonly string[],
): readonly string[] {
  const isZip = built.endsWith('.zip');
  // A pattern must not be quoted, and finds one file.
  const zip = built
    .split(/\{version\}|\*/)
    .map(quoted)
    .join('*');
  const folder = isZip ? '"$RUNNER_TEMP/extension"' : quoted(built);
  const script = [
    ...(isZip ? [`unzip -qo ${zip} -d ${folder}`] : []),
    `xcrun safari-web-extension-converter ${folder} --project-location "$RUNNER_TEMP" --app-name "$APP_NAME" --bundle-identifier "$APP_BUNDLE_ID" --macos-only --copy-resources --no-open --no-prompt --force`,
    String.raw`printf '%s\n' "$APPLE_KEY" > "$RUNNER_TEMP/key.p8"`,
    `version=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).version' ${folder}/manifest.json)`,
    `xcodebuild archive -project "$RUNNER_TEMP/$APP_NAME/$APP_NAME.xcodeproj" -scheme "$APP_NAME" -destination 'generic/platform=macOS' -archivePath "$RUNNER_TEMP/app.xcarchive" ${SIGNING} CODE_SIGN_STYLE=Automatic DEVELOPMENT_TEAM="$APPLE_TEAM_ID" MARKETING_VERSION="$version" CURRENT_PROJECT_VERSION="$GITHUB_RUN_NUMBER.$GITHUB_RUN_ATTEMPT"`,
    String.raw`plutil -create xml1 "$RUNNER_TEMP/export.plist"`,
    'plutil -insert method -string app-store-connect "$RUNNER_TEMP/export.plist"',
    'plutil -insert teamID -string "$APPLE_TEAM_ID" "$RUNNER_TEMP/export.plist"',
    `xcodebuild -exportArchive -archivePath "$RUNNER_TEMP/app.xcarchive" -exportPath "$RUNNER_TEMP/export" -exportOptionsPlist "$RUNNER_TEMP/export.plist" ${SIGNING}`,
  ];
  return [
    '  # Makes an app of the extension, and has Apple sign it with a key of App Store Connect whose role is Admin. Its secrets are',
    '  # APPLE_KEY (the .p8 file), APPLE_KEY_ID and APPLE_ISSUER_ID, and APPLE_TEAM_ID is the id of your team at developer.apple.com.',
    ...(bundleId === null ? ['  # The variable APPLE_BUNDLE_ID is the bundle id of the app.'] : []),
    `  ${job}:`,
    '    runs-on: macos-latest',
    ...permissions,
    '    steps:',
    ...stepsBefore(publishing),
    '      - run: |',
    ...script.map((line) => `          ${line}`),
    '        env:',
    `          APP_NAME: ${JSON.stringify(name.replaceAll(/[^\p{L}\d-]+/gu, ' ').trim() || 'Extension')}`,
    `          APP_BUNDLE_ID: ${bundleId ?? '${{ vars.APPLE_BUNDLE_ID }}'}`,
    ...['APPLE_KEY', 'APPLE_KEY_ID', 'APPLE_ISSUER_ID', 'APPLE_TEAM_ID'].map(
      (secret) => `          ${secret}: $\{{ secrets.${secret} }}`,
    ),
    ...pushStep(publishing, ['"$RUNNER_TEMP"/export/*.pkg', '--store safari']),
  ];
}
