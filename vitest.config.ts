import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Real processes on a shared machine: a test that fails must fail twice. The report names those that needed it.
    retry: 1,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contract,sdk,server,cli,mcp,console}/src/**/*.test.ts'],
          // One real PostgreSQL for the whole run; every test file gets databases of its own in it.
          globalSetup: ['server/src/testing/store-for-tests.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // They wait for the store and for processes most of the time, so one for each core leaves the machine idle.
          maxWorkers: availableParallelism() + 1,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          // Whole platforms: one at a time.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
