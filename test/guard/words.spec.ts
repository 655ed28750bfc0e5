import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** What people read: the console, the command line client, what the service writes, and the documents. */
const FILES = ['console/src', 'clients/cli/src', 'src', 'docs']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name).replaceAll('\\', '/')),
  )
  .filter((name) => /(?<!\.spec)\.(?:tsx?|md)$/.test(name))
  // Generated from `src`; the words of others.
  .filter((name) => !/clients\/cli\/src\/api\/|src\/.*README\.md|docs\/payments\.md/.test(name));

const THING = '(?:access token|token|session|log-in|license|trial|invitation|key|credential|link|gift)';

/** One word for each thing, and what else it was called. */
const ONE_WORD = [
  [
    'expire',
    new RegExp(String.raw`\b${THING}s?,? (?:which )?(?:ends|runs out|ran out|lapses) (?:on|in|within|soon|\d)`),
  ],
  ['expire', /\b(?:ended|ends) \$\{|\b(?:This gift|Your trial|Your session|This log-in) has ended|\bvalid until\b/],
  ['replay', /\b(?:Handle|Send|Deliver|Process) again\b|\bhandl(?:e|ed|ing) (?:it|them|this notification) again\b/],
  ['store', /\bmarketplaces?\b|\b(?:the|a|your) shop\b/i],
  ['hold', /\bkeeps? (?:the|a|this) (?:pinned )?version from\b|\bThe version was not sent\b|\bNot sent to\b/],
] as const;

it.each(ONE_WORD)('“%s” is the only word for what it means', (_word, others) => {
  const found = FILES.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      // Comments are for those who know both.
      .filter((line) => others.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
