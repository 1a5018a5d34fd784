import { certificateChecks } from './certificate-checks.ts';
import { ok, warn, type Check, type CheckedHost, type CheckFamily, type Finding } from './check.ts';
import { whyClosed } from './closed-home.ts';
import { databaseChecks } from './database-checks.ts';
import { homeChecks } from './home-checks.ts';
import { instanceChecks } from './instance-checks.ts';
import { kernelChecks } from './kernel-checks.ts';
import { machineChecks } from './machine-checks.ts';
import { networkChecks } from './network-checks.ts';
import { objectChecks } from './object-checks.ts';
import { observationChecks } from './observation-checks.ts';
import { processChecks } from './process-checks.ts';
import { programChecks } from './program-checks.ts';
import { runsElsewhere } from './read-roles.ts';
import { sandboxChecks } from './sandbox-checks.ts';
import { storeChecks } from './store-checks.ts';
import { vcsChecks } from './vcs-checks.ts';

const checkFamilies: readonly CheckFamily[] = [
  machineChecks,
  homeChecks,
  storeChecks,
  objectChecks,
  processChecks,
  observationChecks,
  networkChecks,
  certificateChecks,
  vcsChecks,
  programChecks,
  sandboxChecks,
  instanceChecks,
  databaseChecks,
  kernelChecks,
];

/** What only a worker needs of its host. */
const ofWorkers: readonly CheckFamily[] = [sandboxChecks, instanceChecks, kernelChecks];

export interface CheckedFamily {
  title: string;
  checks: (Finding & Pick<Check, 'id' | 'title'>)[];
}

export function runChecks(host: CheckedHost, families = checkFamilies): Promise<CheckedFamily[]> {
  return Promise.all(
    families.map(async (family) => {
      const isNeeded = !ofWorkers.includes(family) || !runsElsewhere(host.config, 'worker');
      const find = (check: Check) => (isNeeded ? look(check, host) : ok('not needed: no worker runs on this host'));
      const checks = family.checks.map(async (check) => ({
        id: check.id,
        title: check.title,
        ...(await find(check)),
      }));
      return { title: family.title, checks: await Promise.all(checks) };
    }),
  );
}

/** A check that cannot look has found something too. */
async function look(check: Check, host: CheckedHost): Promise<Finding> {
  try {
    const closed = check.needsHome?.(host.config) ? whyClosed(host.config.home) : null;
    if (closed) return warn(`not checked: ${closed}`, 'Run this as the user the installation belongs to.');
    return await check.look(host);
  } catch (error) {
    return { status: 'fail', found: `could not be looked at: ${(error as Error).message}`, advice: null };
  }
}
