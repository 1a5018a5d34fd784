import type { DeploymentStatus, DeploymentType } from '@lilac/contract/states';
import type { ReactNode } from 'react';
import { type Deployment, isMoving } from '../../lib/describe-deployment.ts';
import { formatDuration } from '@lilac/contract/format-duration';
import { type Run, runMs, runsOf, titleOf } from '../../lib/runs-of.ts';
import { Time } from '../../parts/time.tsx';
import { sayRun } from './say-run.ts';
import { stageSteps, type StageStep, timeOfStep } from './stage-steps.ts';
import { useMedia } from '../../lib/use-media.ts';
import { useSeconds } from '../../lib/use-seconds.ts';

/**
 * How far it is. Where it was served once more, the way of that release stands before that of its build, which is
 * folded.
 */
export function StageLine({ deployment, type }: { deployment: Deployment; type: DeploymentType | null }) {
  const { build, again } = runsOf(deployment);
  if (!again) {
    return (
      <div className="card">
        <RunStages {...{ run: build, type }} label="Stages" />
      </div>
    );
  }
  const took = runMs(again);
  const title = titleOf(again);
  return (
    <div className="card">
      <RunStages {...{ run: again, type }} label={title}>
        <div className="stage-head">
          <h2>{title}</h2>
          <p className="meta">
            <Time at={again.stages[0]?.started_at ?? deployment.started_at} />, without a build
            {took !== null && ` · took ${formatDuration(took)}`}
            {again.status === 'cancelled' && ' · the end of the log says why'}
          </p>
        </div>
      </RunStages>
      <section aria-label="Stages">
        <details className="folded">
          <summary>Build and first release</summary>
          <StageList steps={stageSteps(build, { type, nowMs: 0 })} />
        </details>
      </section>
    </div>
  );
}

interface RunStagesProps {
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
  cancelled: 'It was cancelled.',
};

/** Where stages stand below each other; see `.stages`. */
const NARROW = '(max-width: 52rem)';

/** In a narrow window the stages are one line that unfolds: the log is what somebody came for. */
function RunStages({ run, type, label, children }: RunStagesProps) {
  const nowMs = useSeconds(isMoving(run));
  const isNarrow = useMedia(NARROW);
  const steps = stageSteps(run, { type, nowMs });
  const current = steps.find(({ state }) => state === 'current');
  const list = <StageList steps={steps} />;
  return (
    <section className="run-stages" aria-label={label}>
      {children}
      {isNarrow ? (
        <details className="folded">
          <summary>
            <span className={`stages-said step step-${current ? 'current' : steps.at(-1)!.state}`}>
              {sayRun(run, steps)}
            </span>
          </summary>
          {list}
        </details>
      ) : (
        list
      )}
      <p className="visually-hidden" role="status">
        {current ? `Now: ${current.label}` : ends[run.status]}
      </p>
    </section>
  );
}

function StageList({ steps }: { steps: readonly StageStep[] }) {
  return (
    <ol className="stages">
      {steps.map((step) => (
        <li key={step.stage} className={`stage stage-${step.state}`}>
          <span className="stage-label">
            {step.label}
            <span className="visually-hidden">: {step.state}</span>
          </span>
          <span className="meta stage-time">{timeOfStep(step)}</span>
        </li>
      ))}
    </ol>
  );
}
