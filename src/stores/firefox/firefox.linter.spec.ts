import { describe, expect, it } from 'vitest';
import { linterFindings, type LinterError } from './firefox.linter.js';

const error = (code: string, file: string | null = 'manifest.json', message = 'Not allowed.'): LinterError => ({
  code,
  file,
  message,
  line: 3,
});
const ICON = error('MANIFEST_ICON_NOT_FOUND');
const EVAL = error('DANGEROUS_EVAL', 'a.js', 'eval is dangerous.');

describe('errors of addons-linter', () => {
  it.each<[string, readonly LinterError[], readonly string[], readonly string[]]>([
    ['that no rule knows are findings', [EVAL], [], ['addons-linter: eval is dangerous']],
    ['that a rule has found are not said twice', [ICON], ['firefox absent_file'], []],
    ['whose rule found nothing are findings', [ICON], ['firefox has_key'], ['addons-linter: Not allowed']],
    [
      'that a rule found for another store are findings',
      [ICON],
      ['chrome absent_file'],
      ['addons-linter: Not allowed'],
    ],
    ['that repeat themselves are one finding', [EVAL, EVAL], [], ['addons-linter: eval is dangerous']],
    ['without a place are about the package', [error('BAD_ZIP', null)], [], ['addons-linter: Not allowed']],
  ])('%s', (_case, errors, found, expected) => {
    const own = found.map((each) => {
      const [store, code] = each.split(' ') as ['chrome' | 'firefox', string];
      return { store, code };
    });
    const findings = linterFindings(errors, own);
    expect(findings.map(({ what }) => what)).toEqual(expected);
    for (const [at, { severity, store, file }] of findings.entries())
      expect([severity, store, file]).toEqual(['refused', 'firefox', errors[at]?.file]);
  });

  it('keep their ids when other lines move, and are at most twenty', () => {
    const many = Array.from({ length: 30 }, (_, at) => error('DANGEROUS_EVAL', `${at}.js`));
    expect(linterFindings(many, [])).toHaveLength(20);
    expect(linterFindings([EVAL], [])[0]?.id).toBe(linterFindings([ICON, EVAL], [])[1]?.id);
  });
});
