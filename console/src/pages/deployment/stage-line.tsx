import type { DeploymentStatus, DeploymentType } from '@lilac/contract/states';
import type { ReactNode } from 'react';
import { type Deployment, isMoving } from '../../lib/describe-deployment.ts';
import { formatDuration } from '../../lib/format-duration.ts';
import { type Run, runMs, runsOf, titleOf } from '../../lib/runs-of.ts';
import { Time } from '../../parts/time.tsx';
import { stageSteps, type StageStep } from './stage-steps.ts';
import { useSeconds } from '../../lib/use-seconds.ts';

/** How far it is. Where it was served once more, the way of its build stays, and that of the release stands before it. */
export function StageLine({ deployment, type }: { deployment: Deployment; type: DeploymentType | null }) {
  const { build, again } = runsOf(deployment);
  if (!again) return <RunCard {...{ run: build, type }} label="Stages" />;
  const took = runMs(again);
  const title = titleOf(again);
  return (
    <>
      <RunCard {...{ run: again, type }} label={title}>
        <h2>{title}</h2>
        <p className="meta">
          <Time at={again.stages[0]?.started_at ?? deployment.started_at} />, without a build
          {took !== null && ` · took ${formatDuration(took)}`}
          {again.status === 'cancelled' && ' · the end of the log says why'}
        </p>
      </RunCard>
      <RunCard {...{ run: build, type }} label="Stages">
        <h2>Build and first release</h2>
      </RunCard>
    </>
  );
}

interface RunCardProps {
  run: Run;
  type: DeploymentType | null;
  label: string;
  children?: ReactNode;
}

const ends: Record<DeploymentStatus, string> = {
  pending: 'It waits for its turn.',
  building: 'It is being built.',
  deploying: 'It is being released.',
  healthy: 'It is ready.',
  failed: 'It failed.',
  cancelled: 'It was stopped.',
};

function RunCard({ run, type, label, children }: RunCardProps) {
  const nowMs = useSeconds(isMoving(run));
  const steps = stageSteps(run, { type, nowMs });
  const current = steps.find(({ state }) => state === 'current');
  return (
    <section className="card" aria-label={label}>
      {children && <div className="stage-head">{children}</div>}
      <ol className="stages">
        {steps.map((step) => (
          <li key={step.stage} className={`stage stage-${step.state}`}>
            <span className="stage-label">
              {step.label}
              <span className="visually-hidden">: {step.state}</span>
            </span>
            <span className="meta stage-time">{step.ms !== null && timeOf(step)}</span>
          </li>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {current ? `Now: ${current.label}` : ends[run.status]}
      </p>
    </section>
  );
}

/** Whole seconds while it counts. */
function timeOf({ state, ms }: StageStep): string {
  return state === 'current' ? formatDuration(Math.floor(ms! / 1000) * 1000).replace('.0', '') : formatDuration(ms!);
}
