import { writeFileSync } from 'node:fs';

/**
 * Writes what became of every file to where `scripts/test.mjs` reads it. Without its last word, nobody calls a run
 * good.
 */
export default class OutcomeReporter {
  #reasons = new Set();

  /** Whoever skips says why, in a line of its own. */
  onUserConsoleLog({ content }) {
    for (const line of content.split('\n')) if (line.startsWith('Skipped: ')) this.#reasons.add(line.slice(9));
  }

  onTestRunEnd(modules, unhandledErrors, reason) {
    const outcome = {
      reason,
      unhandledErrors: unhandledErrors.map(firstLineOf),
      files: modules.map((module) => fileOutcome(module)),
      reasons: [...this.#reasons],
    };
    writeFileSync(process.env.LILAC_TEST_OUTCOME, JSON.stringify(outcome));
  }
}

function fileOutcome(module) {
  const tests = [...module.children.allTests()];
  const suites = [...module.children.allSuites()];
  return {
    path: module.relativeModuleId,
    project: module.project.name,
    state: module.state(),
    ms: Math.round(module.diagnostic().duration),
    passed: tests.filter((test) => test.result().state === 'passed').length,
    tests: tests.length,
    skipped: tests.filter((test) => test.result().state === 'skipped').map((test) => skippedTest(test)),
    problems: [
      ...problemsOf('the file itself', module.errors()),
      ...suites.flatMap((suite) => problemsOf(suite.fullName, suite.errors())),
      ...tests
        .filter((test) => test.result().state === 'failed')
        .flatMap((test) => problemsOf(test.fullName, test.result().errors ?? [])),
    ],
  };
}

function skippedTest(test) {
  return { name: test.fullName, note: test.result().note ?? null };
}

function problemsOf(name, errors) {
  return errors.map((error) => ({ name, message: firstLineOf(error) }));
}

function firstLineOf(error) {
  return String(error.message ?? error).split('\n', 1)[0];
}
