import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../common/config/index.js';
import { makeStores } from './adapters.js';
import { STORE_RULES } from './package-rules.js';
import { preflightGuide } from './preflight-guide.js';

const GUIDE = readFileSync(new URL('../../docs/preflight.md', import.meta.url), 'utf8');

describe('docs/preflight.md', () => {
  it('is what `npm run docs:preflight` makes of the rules', () => {
    expect(GUIDE).toBe(preflightGuide(makeStores(readEnvironment({}), { now: () => new Date() })));
  });

  it.each(Object.entries(STORE_RULES))('has the rules of %s, each once', (_store, rules) => {
    expect(new Set(rules.map(({ code }) => code)).size).toBe(rules.length);
    for (const { code, source } of rules) {
      expect(GUIDE).toContain(`| \`${code}\` |`);
      expect(source).toMatch(/^https:\/\//);
    }
  });
});
