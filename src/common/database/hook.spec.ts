import { describe, expect, it } from '@jest/globals';
import { Hook } from './hook.js';

describe('a hook', () => {
  it('asks its listeners one after the other, in the order in which they came', async () => {
    const hook = new Hook<string>();
    const heard: string[] = [];
    hook.add(async (fact) => {
      await new Promise(setImmediate);
      heard.push(`slow ${fact}`);
    });
    hook.add(async (fact) => void heard.push(`quick ${fact}`));
    await hook.run('made');
    expect(heard).toEqual(['slow made', 'quick made']);
  });

  it('ends with the first listener that fails, and fails with it', async () => {
    const hook = new Hook<null>();
    const heard: string[] = [];
    hook.add(() => Promise.reject(new Error('no')));
    hook.add(async () => void heard.push('never'));
    await expect(hook.run(null)).rejects.toThrow('no');
    expect(heard).toEqual([]);
  });

  it('that nobody listens to does nothing', async () => {
    await expect(new Hook<null>().run(null)).resolves.toBeUndefined();
  });
});
