import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/common/config/index.js';
import { createSandbox, PROCESSOR_IDS } from '../support/app.js';
import { PROCESSORS } from '../support/processors.js';

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);

/** What CONTRIBUTING lists under "Adding a payment processor", where no compiler finds it missing. */
describe.each(PROCESSOR_IDS)('the processor %s', (id) => {
  const processor = PROCESSORS.for(id);

  it('has a folder of its own, with its events apart', () => {
    const files = ['processor', 'events', 'events.spec'].map((role) => `src/payments/${id}/${id}.${role}.ts`);
    expect(files.filter((file) => !existsSync(at(file)))).toEqual([]);
  });

  it('says which ids name its purchases, and which events change a license', () => {
    expect(processor.purchaseIds.filter(({ pattern }) => pattern.source.startsWith('^'))).not.toEqual([]);
    expect(processor.events).not.toEqual([]);
  });

  it.each(['docs/payments.md', 'README.md'])('is named in %s', (path) => {
    expect(readFileSync(at(path), 'utf8')).toContain(processor.title);
  });

  it('has its test mode described in docs/payments.md', () => {
    const [, tests = ''] = readFileSync(at('docs/payments.md'), 'utf8').split('\n## Test sales\n');
    expect(tests.split('\n## ')[0]).toContain(processor.title);
  });

  it.each(['docs/payments.md', 'src/payments/README.md'])(
    'has a row in each table of %s that has one of each',
    (path) => {
      const tables = readFileSync(at(path), 'utf8')
        .split(/\n\s*\n/)
        .filter((block) => /^\| processor /m.test(block));
      expect(tables.length).toBeGreaterThan(0);
      expect(tables.filter((table) => !new RegExp(`^\\|[^|]*\`${id}\`[^|]*\\|`, 'm').test(table))).toEqual([]);
    },
  );

  it('has its column and what it says described beside its code', () => {
    const facts = readFileSync(at('src/payments/README.md'), 'utf8');
    const [, deliveries = ''] = facts.split('\n## Deliveries\n');
    expect((deliveries.split('\n## ')[0] ?? '').split('\n')).toContainEqual(
      expect.stringMatching(`^\\|  \\|.* ${processor.title} `),
    );
    expect(facts).toContain(`**${processor.title}**, read by [${id}.events.ts](${id}/${id}.events.ts):`);
  });

  it('has a stand-in', async () => {
    const sandbox = await createSandbox();
    await sandbox.close();
    expect(sandbox.env).toHaveProperty(SETTINGS[`${id}ApiUrl`].name);
  });
});
