import { deploymentsOf, type Rollback } from '../../lib/rollback.ts';
import { BranchName } from '../../parts/branch-name.tsx';
import { ServedDeployment } from '../../parts/served-deployment.tsx';

/** What a deployment would serve instead of what somebody went back to. */
export function WhatChanges({ rollback, branch }: { rollback: Rollback; branch: string | null }) {
  const { wanted, until, nextArchive } = rollback;
  const all = deploymentsOf(rollback);
  return (
    <>
      <p className="about">
        {until ? 'Another one was asked for, and is not ready yet.' : 'It was rolled back.'} A deployment builds the
        newest source, and serves that instead.
      </p>
      <dl className="facts">
        <dt>Now</dt>
        <dd>
          <ServedDeployment deployment={until ?? wanted} besides={all} />
        </dd>
        {until && (
          <>
            <dt>On its way</dt>
            <dd>
              <ServedDeployment deployment={wanted} besides={all} />
            </dd>
          </>
        )}
        <dt>Then</dt>
        <dd>
          {nextArchive ? (
            <ServedDeployment deployment={nextArchive} besides={all} />
          ) : (
            <span className="break">the head of {branch ? <BranchName of={branch} /> : 'its branch'}, built anew</span>
          )}
        </dd>
      </dl>
    </>
  );
}
