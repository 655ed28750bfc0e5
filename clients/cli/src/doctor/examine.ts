import { resolve } from 'node:path';
import type { SCOPES } from '../api/catalog.js';
import { answer, everything, type Service } from '../api/service.js';
import { assertAccepted, endOf } from '../api/token.js';
import type { Context } from '../context.js';
import { asFailure, isAbort } from '../failure.js';
import { findExtension, listExtensions } from '../publishing/extensions.js';
import { listTargets } from '../publishing/targets.js';
import { chooseLogin, type Login } from '../settings/login.js';
import type { Project } from '../settings/project-file.js';
import {
  clockFinding,
  credentialFinding,
  sessionFinding,
  targetFinding,
  tokenFinding,
  versionFinding,
  type Finding,
} from './findings.js';

type Check = Finding['check'];

/** Routes that change nothing and answer 403 to a token without the scope. */
const PROBES: Readonly<
  Record<
    Extract<(typeof SCOPES)[number], `${string}:read`> | 'artifacts:write',
    readonly ['GET' | 'POST', path: string]
  >
> = {
  'extensions:read': ['GET', '/api/v1/extensions?limit=1'],
  'artifacts:write': ['POST', '/api/v1/artifacts/check'],
  'licenses:read': ['GET', '/api/v1/licenses?limit=1'],
  'analytics:read': ['GET', '/api/v1/analytics/overview'],
  'members:read': ['GET', '/api/v1/members?limit=1'],
  'audit:read': ['GET', '/api/v1/audit?limit=1'],
};

/** Examines everything between a package on this machine and the stores. What depends on something that failed is left out. */
export async function* examine(context: Context): AsyncGenerator<Finding> {
  const { project, findings } = await examineProject(context);
  yield* findings;
  let login: Login;
  try {
    login = chooseLogin(await context.settings(), context.surroundings.env);
  } catch (error) {
    yield failed('log-in', error);
    return;
  }
  const service = context.serviceAs(login);
  const ofService = await attempt('service', () => examineService(context, service));
  yield* ofService;
  if (ofService.some(({ check, state }) => check === 'service' && state === 'failed')) return;
  const ofLogin = await attempt('log-in', () =>
    login.token === undefined ? examineSession(service) : examineToken(service, login.token),
  );
  yield* ofLogin;
  if (ofLogin.some(({ state }) => state === 'failed')) return;
  if (login.token === undefined) yield* await attempt('credential', () => examineCredentials(service));
  else yield skipped('credential', 'An access token cannot check keys.', 'To check them, run: pierhead login');
  yield* await attempt('target', () => examineTargets(service, project));
}

const failed = (check: Check, error: unknown): Finding => {
  const { message, errors, hint } = asFailure(error);
  const faults = errors.map((fault) => `${fault.field === '' ? '' : `${fault.field}: `}${fault.message}`);
  return { check, state: 'failed', message: [message, ...faults].join(' '), remedy: hint ?? null };
};
const skipped = (check: Check, message: string, remedy: string | null): Finding => ({
  check,
  state: 'skipped',
  message,
  remedy,
});

/** Findings of an examination, or the reason that it could not be made. */
async function attempt(check: Check, examination: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await examination();
  } catch (error) {
    if (isAbort(error)) throw error;
    return [failed(check, error)];
  }
}

async function examineService(context: Context, service: Service): Promise<Finding[]> {
  const ready = await service.call('GET', '/health/ready');
  const { version } = context.surroundings;
  const found: Finding[] = [
    ready.ok
      ? { check: 'service', state: 'ok', message: `${service.url} is reachable and ready.`, remedy: null }
      : {
          check: 'service',
          state: 'failed',
          message: `${service.url} is reachable and not ready: it answers ${ready.status}.`,
          remedy: `See what is down: ${service.url}/health/ready`,
        },
  ];
  await ready.body?.cancel();
  const described = await service.call('GET', '/api/openapi.json');
  const { info } = (await described.json()) as { readonly info: { readonly version: string } };
  const date = described.headers.get('date');
  return [
    ...found,
    versionFinding(version, info.version, service.url),
    ...(date === null ? [] : [clockFinding(new Date(date), new Date())]),
  ];
}

async function examineSession(service: Service): Promise<Finding[]> {
  const { user, tenant, role } = await answer(service.client.GET('/api/v1/auth/me'));
  const sessions = await everything((query) => service.client.GET('/api/v1/auth/sessions', { params: { query } }));
  const session = sessions.find(({ current }) => current);
  return [sessionFinding(`Logged in as ${user.email}, ${role} of ${tenant.name}`, session, new Date())];
}

/** A body that no route takes. */
const NOTHING = { headers: { 'content-type': 'application/json' }, body: '{}' };

async function examineToken(service: Service, token: string): Promise<Finding[]> {
  await assertAccepted(service);
  const answers = await Promise.all(
    Object.entries(PROBES).map(async ([scope, [method, path]]) => {
      const { status } = await service.call(method, path, method === 'POST' ? NOTHING : {});
      return status === 403 ? [] : [scope];
    }),
  );
  return [tokenFinding(answers.flat(), endOf(token) ?? null, new Date())];
}

const examineCredentials = async (service: Service): Promise<Finding[]> =>
  (await everything((query) => service.client.GET('/api/v1/credentials', { params: { query } }))).map((credential) =>
    credentialFinding(credential, new Date()),
  );

/** The targets of the project's extension, or of all. */
async function examineTargets(service: Service, project: Project | null): Promise<Finding[]> {
  const named = project?.settings.extension;
  const extensions =
    project === null || named === undefined
      ? await listExtensions(service)
      : [await findExtension(service, named, project)];
  const found: Finding[] = [];
  for (const { id, name } of extensions) {
    const enabled = (await listTargets(service, id)).filter((target) => target.enabled);
    found.push(...enabled.map((target) => targetFinding(name, target, new Date())));
  }
  if (found.length === 0)
    return [skipped('target', 'Nothing is published to any store yet.', 'Connect one with: pierhead init')];
  return found;
}

async function examineProject(context: Context): Promise<{ project: Project | null; findings: Finding[] }> {
  try {
    const project = await context.project();
    const { path } = project;
    if (path === null) {
      const none = skipped('project', 'There is no pierhead.json here or above.', 'Write one with: pierhead init');
      return { project, findings: [none] };
    }
    const valid: Finding = { check: 'project', state: 'ok', message: `${path} is valid.`, remedy: null };
    return { project, findings: [valid, ...(await attempt('package', () => examinePackages(project)))] };
  } catch (error) {
    return { project: null, findings: [failed('project', error)] };
  }
}

async function examinePackages({ folder, settings }: Project): Promise<Finding[]> {
  const { findBuild, readManifest } = await import('../package/index.js');
  const named = typeof settings.package === 'object' ? Object.values(settings.package) : [settings.package ?? '.'];
  const builds = await Promise.all(
    named.flatMap((path) => (path === undefined ? [] : [findBuild(resolve(folder, path))])),
  );
  return Promise.all(
    builds.flatMap(({ packages }) =>
      packages.map(async ({ path }): Promise<Finding> => {
        const { name, version, manifestVersion } = await readManifest(path);
        const message = `${name} ${version} (Manifest V${manifestVersion}) is in ${path}.`;
        return { check: 'package', state: 'ok', message, remedy: null };
      }),
    ),
  );
}
