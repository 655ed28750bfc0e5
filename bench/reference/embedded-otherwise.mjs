// node --import ./bench/reference/embedded-otherwise.mjs?HOW …: has the service open its embedded database without what it pays for.
// `not-forced` forces nothing to the disk; `large-buffers` has the 128 MB of buffers that PostgreSQL takes by itself.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { PGlite } from '@electric-sql/pglite';

if (import.meta.url.endsWith('?not-forced')) {
  fs.fsyncSync = () => undefined;
  syncBuiltinESMExports();
} else {
  const create = PGlite.create.bind(PGlite);
  PGlite.create = ({ startParams, ...rest }) =>
    create({ ...rest, startParams: [...startParams, '-c', 'shared_buffers=128MB'] });
}
