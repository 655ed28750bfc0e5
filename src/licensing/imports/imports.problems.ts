import { defineProblem } from '../../common/problems/index.js';
import type { ImportState } from './license-import.entity.js';

export const ImportNotFound = defineProblem({
  code: 'import_not_found',
  status: 404,
  title: 'Import not found',
  cause: 'The tenant has no import with this id, or it has expired.',
  remedy: 'List the imports with GET /license-imports, or send the file again.',
});

export const TooManyImports = defineProblem(
  {
    code: 'too_many_imports',
    status: 409,
    title: 'Too many imports',
    cause: 'The tenant has as many imports as are kept at once that have not ended.',
    remedy: 'Start, cancel or delete one of them.',
  },
  (limit: number) => ({
    detail: `At most ${limit} imports may wait or run. Start, cancel or delete one of them.`,
    members: { limit },
  }),
);

const WAITS: Readonly<Partial<Record<ImportState, string>>> = {
  uploading: 'Its file has not arrived. Send it again if it does not.',
  unread: 'Say which columns hold what, with POST /license-imports/{id}/preview.',
  checking: 'It is being read. Wait until its state is ready.',
  running: 'It is running.',
};

export const ImportNotReady = defineProblem(
  {
    code: 'import_not_ready',
    status: 409,
    title: 'Import cannot do this now',
    cause: 'The import is in another state than the request needs.',
    remedy: 'See detail.',
  },
  (state: ImportState) => `The import is ${state}. ${WAITS[state] ?? 'Send the file again.'}`,
);

export const ImportHasFaults = defineProblem(
  {
    code: 'import_has_faults',
    status: 409,
    title: 'Lines cannot be imported',
    cause: 'Lines of the file have faults, and the request does not say that the others shall be imported.',
    remedy: 'Mend the file, or start with skipFaults.',
  },
  (faults: number) => ({
    detail: `${faults} lines cannot be imported: see GET /license-imports/{id}/faults. Mend the file, or start with skipFaults.`,
    members: { faults },
  }),
);
