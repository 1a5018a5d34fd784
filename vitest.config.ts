import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** Set by `scripts/test.mjs`: where it is told the outcome, and the files that are run once more, one by one. */
const { LILAC_TEST_OUTCOME: outcomeFile, LILAC_TEST_AGAIN: again } = process.env;
const filesAgain = again?.split(',');
const find = (patterns: string[]) => globSync(patterns).filter((file) => filesAgain?.includes(file) ?? true);
const workers = (count: number) => (filesAgain ? 1 : count);

const unitTests = find([
  '{contract,sdk,server,cli,mcp,console}/src/**/*.test.ts',
  'bench/**/*.test.ts',
  'chaos/*.test.ts',
  'soak/*.test.ts',
  'scripts/*.test.mjs',
]);
/** Who mocks, stubs or turns the clock does it to whatever else is loaded. */
const meddling = unitTests.filter((file) => /^import .*\bvi\b.* from 'vitest'/m.test(readFileSync(file, 'utf8')));

const unit = {
  // One real PostgreSQL; every test file gets databases of its own in it.
  globalSetup: ['server/src/testing/store-for-tests.ts'],
  // On a machine that others use too, a minute is soon over.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // They wait for the store and for processes most of the time, so one for each core leaves the machine idle.
  maxWorkers: workers(availableParallelism() + 1),
};

const unitProjects = [
  // What a file has loaded the next one need not load again: that is half of the work.
  { test: { ...unit, name: 'unit', include: unitTests, exclude: meddling, isolate: false } },
  { test: { ...unit, name: 'unit apart', include: meddling } },
];

/** Files that keep the machine busy, or promise something within seconds: nothing else may run beside them. */
const loading = [
  'chaos',
  'control-planes',
  'control-planes-swarm',
  'databases-failover',
  'deploy-killed',
  'disk-filler',
  'docker',
  'domains-renewal',
  'processes',
  'processes-killed',
  'servers-under-load',
  'swarm',
  'whole-platform-docker',
  'whole-platform-swarm',
].map((name) => `e2e/${name}.test.ts`);
const e2eTests = find(['e2e/**/*.test.ts']);

const e2e = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

const e2eProjects = [
  {
    test: {
      ...e2e,
      name: 'e2e',
      include: e2eTests.filter((file) => !loading.includes(file)),
      // Whole platforms, which wait for one another's processes half of the time.
      maxWorkers: workers(2),
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
    // Real processes on a shared machine: what fails must fail twice. The tests of a file build on one another, so it
    // is the whole file that `scripts/test.mjs` gives a second chance.
    retry: 0,
    reporters: [...configDefaults.reporters, ...(outcomeFile ? ['./scripts/outcome-reporter.mjs'] : [])],
    projects: [...unitProjects, ...e2eProjects],
  },
});
