import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World, DataSource } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';

describe('a full disk', () => {
  let world: World;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    tenant = await world.given.tenant();
  });
  afterAll(() => world.close());

  const sql = (text: string): Promise<unknown> => world.app.get(DataSource).query(text);

  it('of the database is answered with 507 and a sentence, logged with its cause, and nothing is changed', async () => {
    await sql(`create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
    await sql('create trigger no_room before insert on extension for each row execute function no_room()');
    const before = world.log.length;
    const create = () => world.api.as(tenant).post('/extensions', { name: 'Counter' });
    const refused = await create();
    expect(refused).toMatchObject({
      status: 507,
      body: { code: 'storage_full', title: 'Disk full', detail: expect.stringContaining('nothing was saved') },
    });
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.text).not.toContain('could not extend');
    expect(world.log.slice(before).filter((line) => line.includes('could not extend file')).length).toBeGreaterThan(0);
    await sql('drop function no_room() cascade');
    expect(expectStatus(await world.api.as(tenant).get('/extensions'), 200).body.items).toEqual([]);
    expectStatus(await create(), 201);
  });

  it('makes the process not ready below the free share that a setting names, while it goes on working', async () => {
    const other = await startWorld({ with: world, env: { DISK_MIN_FREE_PERCENT: '99' } });
    try {
      expect(await other.api.get('//health/ready')).toMatchObject({
        status: 503,
        body: { details: { disk: { status: 'down' }, database: { status: 'up' } } },
      });
      expect(other.log.filter((line) => line.includes('DISK_MIN_FREE_PERCENT is 99'))).toHaveLength(1);
      expect(await other.api.get('//metrics')).toMatchObject({
        text: expect.stringContaining('pierhead_check_up{check="disk"} 0'),
      });
      expect((await other.api.get('//health/live')).status).toBe(200);
    } finally {
      await other.close();
    }
    expect(await world.api.get('//health/ready')).toMatchObject({
      status: 200,
      body: { details: { disk: { status: 'up' } } },
    });
  });
});
