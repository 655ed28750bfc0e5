import { describe, expect, it } from '@jest/globals';
import { githubName, workflowOf, type Publishing } from './workflow.js';

const config = (url: string): string =>
  `[core]\n\tbare = false\n[remote "upstream"]\n\turl = https://github.com/other/thing.git\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n`;

describe('the repository of a project', () => {
  it.each([
    ['https://github.com/acme/tab-counter.git', 'acme/tab-counter'],
    ['https://github.com/acme/tab-counter', 'acme/tab-counter'],
    ['https://ann:secret@github.com/acme/tab-counter.git', 'acme/tab-counter'],
    ['git@github.com:acme/tab.counter.git', 'acme/tab.counter'],
    ['ssh://git@github.com/acme/tab-counter.git', 'acme/tab-counter'],
    ['https://gitlab.com/acme/tab-counter.git', null],
    ['https://github.com.evil.example/acme/tab-counter', null],
  ])('at %s is %s', (url, name) => expect(githubName(config(url))).toBe(name));

  it('is none without a remote', () => expect(githubName('[core]\n\tbare = false\n')).toBe(null));
});

describe('the workflow', () => {
  const publishing: Publishing = {
    url: 'https://pierhead.example',
    extension: { id: '01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d4', name: 'Tab\nCounter' },
    package: 'my dist',
    sources: null,
    build: ['npm ci', 'npm run build'],
  };
  it('builds, and pushes what was built, without a secret', () =>
    expect(workflowOf(publishing))
      .toBe(`# Publishes each tag such as v1.4.0 to every store. A trust rule of the service admits this repository, so there is no secret.
name: Publish
on:
  push:
    tags: ['v*']
permissions:
  contents: read
  id-token: write
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npm ci
      - run: npm run build
      - uses: pierhead/action@v1
        with:
          url: "https://pierhead.example"
          extension: 01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d4 # Tab Counter
          package: "my dist"
          wait: submitted
`));

  it('builds nothing where there is nothing to build', () =>
    expect(workflowOf({ ...publishing, build: [], package: null })).not.toMatch(/setup-node|run:|package:/));
});
