import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { run } from '../support/process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8');

/** All are written by `npm run docs:openapi`. */
describe('what clients are written against', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ env: { PUBLIC_URL: 'https://pierhead.example' } });
  });
  afterAll(() => world.close());

  it('openapi.json is how the service describes itself', () => {
    expect(JSON.parse(read('openapi.json'))).toEqual(JSON.parse(JSON.stringify(world.document)));
  });

  it("openapi.json keeps Redocly's recommended rules", async () => {
    const lint = [
      'test/node_modules/@redocly/cli/bin/cli.js',
      'lint',
      '--extends=recommended',
      '--format=json',
      'openapi.json',
    ];
    const { stdout } = await run(lint, { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' });
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 5 }, problems: [] });
  });

  it('the types of the command line client are those of openapi.json', async () => {
    const generated = await run(['clients/cli/node_modules/openapi-typescript/bin/cli.js', 'openapi.json'], {});
    expect(generated.stdout).toBe(read('clients/cli/src/api/schema.ts'));
  });

  it('the facts that clients know without asking are those that the service tells', async () => {
    const { catalogsOf } = (await import(new URL('../../scripts/client-catalog.mjs', import.meta.url).href)) as {
      readonly catalogsOf: (answers: object) => Readonly<Record<string, string>>;
    };
    const api = world.api.as(await world.given.tenant());
    const stores = (await api.get('/stores')).body.items;
    const { processors } = (await api.get('/webhooks/processors')).body;
    for (const [name, source] of Object.entries(catalogsOf({ document: world.document, stores, processors })))
      expect(read(`clients/cli/src/api/${name}`)).toBe(source);
  });
});
