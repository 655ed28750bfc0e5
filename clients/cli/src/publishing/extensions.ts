import { answer, everything, isId, type Schema, type Service } from '../api/service.js';
import { Failure, usageFailure } from '../failure.js';
import type { Project } from '../settings/project-file.js';

export type Extension = Schema<'Extension'>;

export const listExtensions = (service: Service): Promise<Extension[]> =>
  everything((query) => service.client.GET('/api/v1/extensions', { params: { query } }));

const key = (name: string): string => name.normalize('NFC').toLowerCase();

/**
 * The extension that is meant: by id, or by name in any case; without either the one of the project, or the only one there is.
 * @throws Failure that lists the extensions when none or several could be meant
 */
export async function findExtension(service: Service, named: string | undefined, project: Project): Promise<Extension> {
  const wanted = named ?? project.settings.extension;
  if (wanted !== undefined && isId(wanted))
    return answer(service.client.GET('/api/v1/extensions/{id}', { params: { path: { id: wanted } } }));
  return chooseExtension(await listExtensions(service), wanted);
}

/** The extension of an id or a name, which is registered if need be. @throws Failure when there is none of the id */
export async function registered(
  service: Service,
  name: string,
): Promise<{ readonly extension: Extension; readonly isNew: boolean }> {
  const all = await listExtensions(service);
  const known = all.find((each) => each.id === name || key(each.name) === key(name));
  if (known !== undefined) return { extension: known, isNew: false };
  if (isId(name)) throw new Failure(`You have no extension ${name}.`);
  return { extension: await answer(service.client.POST('/api/v1/extensions', { body: { name } })), isNew: true };
}

/** @throws Failure that lists the extensions when none or several could be meant */
export function chooseExtension(all: readonly Extension[], wanted: string | undefined): Extension {
  const found = wanted === undefined ? all : all.filter(({ name }) => key(name) === key(wanted));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (all.length === 0) throw new Failure('You have no extensions yet.', { hint: 'Register one with: pierhead init' });
  const names = all.map(({ name }) => name).join(', ');
  if (wanted === undefined)
    throw usageFailure(
      'You have several extensions. Name one of them.',
      `Your extensions: ${names}. A pierhead.json can name it, too.`,
    );
  throw new Failure(`You have no extension "${wanted}".`, { hint: `Your extensions: ${names}.` });
}
