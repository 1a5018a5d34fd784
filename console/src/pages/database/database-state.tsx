import { useAction } from '../../lib/use-action.ts';
import { useCall } from '../../lib/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { usePermission } from '../../shell/member-context.ts';
import { type Database, isMoving } from '../databases/describe-database.ts';
import { adviseWaiting, describeProgress, provisioningSteps } from './progress-steps.ts';
import { useAddressed } from './use-addressed.ts';
import type { Progress } from './use-database.ts';
import { showMarks } from '../../lib/visible-name.ts';

interface DatabaseStateProps {
  database: Database;
  progress: Progress | null;
  onChanged: () => void;
}

/** What is being done to it, or what is wrong with it; nothing where all is well. */
export function DatabaseState({ database, progress, onChanged }: DatabaseStateProps) {
  if (isMoving(database)) return <Moving database={database} progress={progress} />;
  if (database.error === null) return null;
  return database.status === 'healthy' ? (
    <SmallTrouble key={database.error} database={database} onChanged={onChanged} />
  ) : (
    <Trouble database={database} onChanged={onChanged} />
  );
}

function Moving({ database, progress }: Pick<DatabaseStateProps, 'database' | 'progress'>) {
  const { words, percent } = describeProgress(database.status, progress);
  const advice = adviseWaiting(database.status, progress?.step);
  const steps = database.status === 'provisioning' ? provisioningSteps(database, progress?.step) : [];
  return (
    <section className="card" aria-label="Progress">
      <p role="status">
        <strong>{words}</strong> <span className="meta">{percent}%</span>
      </p>
      <div
        className="meter"
        role="progressbar"
        aria-label={words}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div style={{ width: `${percent}%` }} />
      </div>
      {advice && <p className="hint">{advice}</p>}
      {steps.length > 0 && (
        <ol className="steps">
          {steps.map(({ label, state }) => (
            <li key={label} className={`step step-${state}`} aria-current={state === 'current' ? 'step' : undefined}>
              {label}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** A failed import leaves all as it was: that is said where it was begun. */
function SmallTrouble(props: Pick<DatabaseStateProps, 'database' | 'onChanged'>) {
  const { data, error } = useCall('databases.status', { body: useAddressed(props.database) });
  const isOfImport = data?.last_import?.error === props.database.error;
  return (data === undefined && error === undefined) || isOfImport ? null : <Trouble {...props} />;
}

function Trouble({ database, onChanged }: Pick<DatabaseStateProps, 'database' | 'onChanged'>) {
  const addressed = useAddressed(database);
  const canCreate = usePermission('create:projects');
  const retry = useAction(async () => {
    await browserSession.call('databases.provision', { body: addressed });
    onChanged();
  });
  const isBad = database.status === 'failed';
  return (
    <div className={`notice ${isBad ? 'notice-error' : 'notice-warning'} stack`} role="alert">
      <p>{showMarks(database.error ?? '')}</p>
      <ErrorNotice error={retry.error} />
      {isBad && canCreate && (
        <div className="actions">
          <Button isBusy={retry.isBusy} onClick={() => void retry.run()}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
