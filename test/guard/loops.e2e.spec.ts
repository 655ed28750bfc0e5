import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SchedulerRegistry, startWorld, type World } from '../support/app.js';

describe('a service', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it('lists everything that runs by itself in the SchedulerRegistry, under a readable name', () => {
    const registry = world.app.get(SchedulerRegistry);
    expect(registry.getTimeouts().toSorted()).toEqual([
      'analytics-roll-up',
      'backup',
      'license-import',
      'listings',
      'mail-delivery',
      'reconcile',
      'tenant-deletion',
      'tenant-export',
      'webhook-delivery',
    ]);
    expect(registry.getIntervals().filter((name) => !/^[a-z]+(-[a-z]+)+$/.test(name))).toEqual([]);
    expect(registry.getIntervals()).toContain('expiry-warnings');
  });
});
