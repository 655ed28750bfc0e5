import { describe, expect, it } from 'vitest';
import { Hook } from './hook.js';

describe('a hook', () => {
  it('runs its listeners one after the other, in the order of their addition', async () => {
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

  it('stops at the first listener that fails, and fails with it', async () => {
    const hook = new Hook<null>();
    const heard: string[] = [];
    hook.add(() => Promise.reject(new Error('no')));
    hook.add(async () => void heard.push('never'));
    await expect(hook.run(null)).rejects.toThrow('no');
    expect(heard).toEqual([]);
  });

  it('does nothing without listeners', async () => {
    await expect(new Hook<null>().run(null)).resolves.toBeUndefined();
  });
});
