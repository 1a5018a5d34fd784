import type { DeploymentType } from '@lilac/contract/states';
import { type Deployment, isMoving } from '../../lib/describe-deployment.ts';
import { formatDuration } from '../../lib/format-duration.ts';
import { stageSteps, type StageStep } from './stage-steps.ts';
import { useSeconds } from './use-seconds.ts';

/** How far it is, as a line of stages with the time of each. */
export function StageLine({ deployment, type }: { deployment: Deployment; type: DeploymentType | null }) {
  const nowMs = useSeconds(isMoving(deployment));
  const steps = stageSteps(deployment, { type, nowMs });
  const current = steps.find(({ state }) => state === 'current');
  return (
    <section className="card" aria-label="Stages">
      <ol className="steps">
        {steps.map((step) => (
          <li key={step.stage} className={`step step-${step.state}`}>
            <span>
              {step.label}
              <span className="visually-hidden">: {step.state}</span>
            </span>
            {step.ms !== null && <span className="meta deployment-time">{timeOf(step)}</span>}
          </li>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {current ? `Now: ${current.label}` : `The deployment is ${deployment.status}.`}
      </p>
    </section>
  );
}

/** Whole seconds while it counts. */
function timeOf({ state, ms }: StageStep): string {
  return state === 'current' ? formatDuration(Math.floor(ms! / 1000) * 1000).replace('.0', '') : formatDuration(ms!);
}
