import { slugOf } from '../../environments/subdomain.ts';

/** What fits into an address without being cut. */
const LONGEST = 63;
const MOST = 1000;

/** What the environment of a branch may be called, the best first: several branches may come to the same letters. */
export function* branchEnvironmentNames(branch: string): Generator<string> {
  const name = slugOf(branch);
  yield name;
  for (let number = 2; number <= MOST; number++) {
    const suffix = `-${number}`;
    yield name.slice(0, LONGEST - suffix.length).replace(/-+$/, '') + suffix;
  }
}
