import type { DatabaseStatus, DatabaseStep } from '@lilac/contract/states';
import type { Database } from '../databases/describe-database.ts';
import type { Progress } from './use-database.ts';

interface StepLine {
  label: string;
  state: 'done' | 'current' | 'waiting';
}

const waiting: Partial<Record<DatabaseStatus, string>> = {
  provisioning: 'Setting up',
  updating: 'Changing',
  deleting: 'Deleting',
};

/** In a line: what happens now, and how far it is. */
export function describeProgress(status: DatabaseStatus, progress: Progress | null) {
  const begun = waiting[status] ?? 'Working';
  if (!progress || progress.step === 'settled') return { words: `${begun}…`, percent: progress?.percent ?? 0 };
  const step = progress.step === 'queued' ? 'waiting for its turn' : progress.step;
  return { words: `${begun}: ${step}…`, percent: progress.percent };
}

/** What whoever would rather end it can do; null where nothing need be said. A restored one is ended by deleting it. */
export function adviseWaiting(status: DatabaseStatus, step?: DatabaseStep): string | null {
  if (status !== 'updating' || step !== 'importing') return null;
  return 'An import cannot be cancelled. It runs on without this page, and ends with all of the file or, where it fails, with nothing changed. If it was the wrong file, wait for its end, then drop what it has brought or restore a backup.';
}

/** What setting one up takes, in order. A restored one takes its data in before it lets anybody in. */
export function provisioningSteps({ ha_enabled }: Pick<Database, 'ha_enabled'>, current?: DatabaseStep): StepLine[] {
  const order: DatabaseStep[] = ['queued', 'preparing files', 'starting the server', 'creating accounts'];
  if (current === 'importing' || current === 'copying data') order.push(current);
  if (ha_enabled) order.push('starting the standby');
  order.push('checking');
  const at = current === 'settled' ? order.length : order.indexOf(current ?? 'queued');
  return order.map((step, index) => ({
    label: capital(step),
    state: index < at ? 'done' : index === at ? 'current' : 'waiting',
  }));
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
