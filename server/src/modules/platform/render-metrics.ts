import type { Db } from '../../db/pool.ts';
import { buildJob } from '../deployments/job-kinds.ts';
import { writeExposition } from './exposition.ts';
import { readStoreFacts, type StoreFacts } from './facts-store.ts';
import { readVitals, type ProcessVitals } from './vitals-store.ts';
import type { Labels, VitalFamily, VitalSample } from '../../lib/vitals.ts';

/** Everything the operator's Prometheus asks for: what each process has counted, and what the store knows. */
export async function renderMetrics(db: Db): Promise<string> {
  const [processes, facts] = await Promise.all([readVitals(db), readStoreFacts(db)]);
  return writeExposition([...familiesOf(processes), ...factFamilies(facts)]);
}

/** Each series says which process it is of, so that none goes back while its process lives. */
export function familiesOf(processes: readonly ProcessVitals[]): VitalFamily[] {
  const machines = machineNames(processes);
  return processes.flatMap((process) => {
    const { role, place, families } = process;
    const own: Labels = { machine: machines.get(process)!, role, place: String(place) };
    const labelled = ({ labels, ...sample }: VitalSample) => ({ ...sample, labels: { ...own, ...labels } });
    return families.map((family) => ({ ...family, samples: family.samples.map(labelled) }));
  });
}

/** The machine's name, and the folder too where several installations of one machine share a store. */
function machineNames(processes: readonly ProcessVitals[]): Map<ProcessVitals, string> {
  const homes = Map.groupBy(processes, ({ machine }) => machine);
  const isShared = ({ machine }: ProcessVitals) => new Set(homes.get(machine)!.map(({ home }) => home)).size > 1;
  return new Map(
    processes.map((process) => [process, isShared(process) ? `${process.machine}:${process.home}` : process.machine]),
  );
}

function factFamilies({ jobs, oldestWaitingSeconds, environments, storeBytes }: StoreFacts): VitalFamily[] {
  const builds = jobs.find(({ kind, state }) => kind === buildJob.name && state === 'running')?.count ?? 0;
  return [
    gauge(
      'lilac_jobs',
      'Jobs that wait or run.',
      jobs.map(({ kind, state, count }) => [count, { kind, state }]),
    ),
    gauge('lilac_jobs_oldest_waiting_seconds', 'How long the job that is due for longest has been waiting.', [
      [oldestWaitingSeconds],
    ]),
    gauge('lilac_builds_running', 'Builds under way.', [[builds]]),
    gauge(
      'lilac_environments',
      'Environments, by status.',
      environments.map(({ status, count }) => [count, { status }]),
    ),
    gauge('lilac_store_size_bytes', 'What the store takes on the disk.', [[storeBytes]]),
  ];
}

function gauge(name: string, help: string, samples: readonly (readonly [number, Labels?])[]): VitalFamily {
  return { name, kind: 'gauge', help, samples: samples.map(([value, labels = {}]) => ({ labels, value })) };
}
