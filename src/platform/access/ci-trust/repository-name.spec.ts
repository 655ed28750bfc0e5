import { describe, expect, it } from 'vitest';
import { repositoryName } from './repository-name.js';

describe('the name of a repository', () => {
  it.each([
    ['acme/tab-counter', 'acme/tab-counter'],
    ['https://github.com/acme/tab-counter', 'acme/tab-counter'],
    [' https://github.com/Acme/Tab.Counter.git ', 'Acme/Tab.Counter'],
    ['https://github.com/acme/tab-counter/tree/main/packages?tab=readme#top', 'acme/tab-counter'],
    ['https://token:x@github.com/acme/tab-counter/', 'acme/tab-counter'],
    ['git@github.com:acme/tab-counter.git', 'acme/tab-counter'],
    ['ssh://git@github.com:22/acme/tab-counter.git', 'acme/tab-counter'],
    ['https://gitlab.com/acme/tools/tab-counter/-/tree/main', 'acme/tools/tab-counter'],
    ['https://git.example/acme/tab-counter.git', 'acme/tab-counter'],
    ['https://github.com/acme', 'acme'],
    ['https://github.com', 'https://github.com'],
    ['acme', 'acme'],
    ['../etc/passwd', '../etc/passwd'],
  ])('in %j is %j', (text, name) => {
    expect(repositoryName(text)).toBe(name);
  });
});
