import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const unitTests = ['{contract,sdk,server,cli,mcp,console}/src/**/*.test.ts', 'scripts/*.test.mjs'];

/** Set by `scripts/test.mjs`: where it is told the outcome, and the files that are run once more. */
const { LILAC_TEST_OUTCOME: outcomeFile, LILAC_TEST_AGAIN: again } = process.env;

/** Who mocks, stubs or turns the clock does it to whatever else is loaded. */
const meddling = globSync(unitTests).filter((file) =>
  /^import .*\bvi\b.* from 'vitest'/m.test(readFileSync(file, 'utf8')),
);

const unit = {
  // One real PostgreSQL; every test file gets databases of its own in it.
  globalSetup: ['server/src/testing/store-for-tests.ts'],
  // On a machine that others use too, a minute is soon over.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // They wait for the store and for processes most of the time, so one for each core leaves the machine idle.
  maxWorkers: availableParallelism() + 1,
  // Real processes on a shared machine: a test that fails must fail twice. The report names those that needed it.
  retry: 1,
};

const unitProjects = [
  // What a file has loaded the next one need not load again: that is half of the work.
  { test: { ...unit, name: 'unit', include: unitTests, exclude: meddling, isolate: false } },
  { test: { ...unit, name: 'unit apart', include: meddling } },
];

/** Files that keep the machine busy, or promise something within seconds: nothing else may run beside them. */
const loading = [
  'databases-failover',
  'deploy-killed',
  'disk-filler',
  'domains-renewal',
  'processes',
  'processes-killed',
  'servers-under-load',
].map((name) => `e2e/${name}.test.ts`);
const e2eTests = again?.split(',') ?? globSync('e2e/**/*.test.ts');

const e2e = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // The tests of a file build on one another: `scripts/test.mjs` gives the whole file its second chance.
  retry: 0,
};

const e2eProjects = [
  {
    test: {
      ...e2e,
      name: 'e2e',
      include: e2eTests.filter((file) => !loading.includes(file)),
      // Whole platforms, which wait for one another's processes half of the time.
      maxWorkers: again ? 1 : 2,
      sequence: { groupOrder: 1 },
    },
  },
  {
    test: {
      ...e2e,
      name: 'e2e alone',
      include: e2eTests.filter((file) => loading.includes(file)),
      maxWorkers: 1,
      sequence: { groupOrder: 2 },
    },
  },
];

export default defineConfig({
  test: {
    reporters: [...configDefaults.reporters, ...(outcomeFile ? ['./scripts/outcome-reporter.mjs'] : [])],
    projects: again ? e2eProjects : [...unitProjects, ...e2eProjects],
  },
});
