import { installSchemathesis } from './schemathesis.ts';

/** For the set-up of tests. */
const problem = await installSchemathesis();
if (problem !== null) {
  console.error(problem);
  process.exitCode = 1;
}
