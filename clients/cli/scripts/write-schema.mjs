// npm run docs:project-file: writes the JSON Schema of pierhead.json from what the client accepts.
import { writeFileSync } from 'node:fs';
import { projectSchema } from '../src/settings/project-schema.ts';

writeFileSync(
  new URL('../schema/pierhead.schema.json', import.meta.url),
  `${JSON.stringify(projectSchema(), null, 2)}\n`,
);
