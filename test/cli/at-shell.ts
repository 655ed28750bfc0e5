import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import type { Tenant } from '../support/given.js';
import { Shell } from './shell.js';

/** What each test finds. */
export interface AtShell {
  world: World;
  tenant: Tenant;
  shell: Shell;
}

/** Gives the tests of a block one service, and each of them a tenant, and a shell in which nobody is logged in. */
export function atShell(): AtShell {
  const at = {} as AtShell;
  beforeAll(async () => {
    at.world = await startWorld();
  });
  afterAll(() => at.world.close());
  beforeEach(async () => {
    at.tenant = await at.world.given.tenant();
    at.shell = await Shell.open();
  });
  afterEach(() => at.shell.close());
  return at;
}
