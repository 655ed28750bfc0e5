// A reporter of Vitest: writes to TEST_REPORT how many tests passed and failed, which files skipped some, and why each failed one did, with hooks.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** A failed test and the first lines of why. */
const failure = (name, [{ stack, message }]) =>
  `${name}\n  ${(stack || message).split('\n').slice(0, 12).join('\n  ')}`;

export default class Report {
  onTestRunEnd(modules, unhandled) {
    const report = { passed: 0, failed: 0, skipped: [], failures: [] };
    const fail = (name, errors) => {
      if (errors.length === 0) return;
      report.failed += 1;
      report.failures.push(failure(name, errors));
    };
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      const tests = [...module.children.allTests()];
      fail(file, module.errors());
      for (const suite of module.children.allSuites()) fail(`${file}: ${suite.fullName}`, suite.errors());
      for (const test of tests) fail(`${file}: ${test.fullName}`, test.result().errors ?? []);
      report.passed += tests.filter((test) => test.result().state === 'passed').length;
      if (tests.some((test) => test.result().state === 'skipped')) report.skipped.push(file);
    }
    if (unhandled.length > 0) fail('Outside of any test', unhandled);
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
  }
}
