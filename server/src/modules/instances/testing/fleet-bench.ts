import { get } from 'node:http';
import type { Instance } from '../../../runtime/runtime.ts';
import { eventually } from '../../../testing/eventually.ts';
import {
  createDeploymentsBench,
  type BenchOptions,
  type DeploymentsBench,
  type Subject,
} from '../../deployments/testing/deployments-bench.ts';
import { builtServer } from '../../deployments/testing/stand-in-builder.ts';
import { startStandInEdge, type StandInEdge } from '../../deployments/testing/stand-in-edge.ts';

/** A platform whose builds make servers: workers, a fleet, a runtime and two edges. */
export interface FleetBench extends DeploymentsBench {
  edges: readonly [StandInEdge, StandInEdge];
  subject: Subject;
  environmentId: string;
  /** What runs of the environment, the oldest first. */
  running(): Instance[];
  /** Waits until so many run, are listed by both edges, and nothing else runs. */
  settled(count: number): Promise<Instance[]>;
  /** Asks through the public port. */
  ask(): Promise<Answer>;
  scale(min: number, max: number): Promise<void>;
  setEnvironment(columns: Record<string, unknown>): Promise<void>;
  trouble(): Promise<string | null>;
}

export interface Answer {
  status: number;
  error: string | undefined;
  id: string;
  deploymentId: string;
  env: Record<string, string>;
}

const QUICK = { LILAC_SCALE_DOWN_AFTER: '300ms', LILAC_IDLE_TO_ZERO_AFTER: '1h', LILAC_START_WITHIN: '2s' };

export async function createFleetBench({ settings, ...options }: BenchOptions = {}): Promise<FleetBench> {
  const base = await createDeploymentsBench({ settings: { ...QUICK, ...settings }, ...options });
  const disposeBase = base[Symbol.asyncDispose].bind(base);
  base.builder.run = builtServer;
  const edges = [startStandInEdge(base.store, 'edge 1'), startStandInEdge(base.store, 'edge 2')] as const;
  for (const edge of edges) base.front.use(edge);
  const subject = await base.settle();
  const environmentId = subject.environment.id;
  const running = () => base.runtime.running().toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
  const listed = (edge: StandInEdge) => {
    const target = edge.routes.get(environmentId)?.target;
    return target?.kind === 'instances' ? target.instances.map(({ id }) => id) : [];
  };
  await base.store.pool.query(`update applications set deployment_type = 'container'`);
  await base.keep();
  return Object.assign(base, {
    edges,
    subject,
    environmentId,
    running,
    async settled(count: number) {
      await eventually(`${count} run and are listed`, () => {
        const ids = running().map(({ id }) => id);
        const text = JSON.stringify(ids.toSorted());
        return ids.length === count && edges.every((edge) => JSON.stringify(listed(edge).toSorted()) === text);
      });
      return running();
    },
    ask: () => ask(base.front.port, `${subject.environment.subdomain}.localhost`),
    async scale(min: number, max: number) {
      const bounds = [environmentId, min, max];
      await base.store.pool.query(
        'update environments set min_instances = $2, max_instances = $3 where id = $1',
        bounds,
      );
      await base.store.pool.query(`select pg_notify('lilac_fleet', $1)`, [environmentId]);
    },
    async setEnvironment(columns: Record<string, unknown>) {
      await base.store.db.updateTable('environments').set(columns).where('id', '=', environmentId).execute();
    },
    async trouble() {
      const { rows } = await base.store.pool.query('select trouble from environments where id = $1', [environmentId]);
      return (rows[0] as { trouble: string | null }).trouble;
    },
    async [Symbol.asyncDispose]() {
      for (const edge of edges) await edge[Symbol.asyncDispose]();
      await disposeBase();
    },
  });
}

function ask(port: number, host: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/', headers: { host }, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => {
        const error = response.headers['x-lilac-error'] as string | undefined;
        const body = error === undefined ? (JSON.parse(text) as Omit<Answer, 'status' | 'error'>) : {};
        resolve({ status: response.statusCode!, error, ...body } as Answer);
      });
    }).once('error', reject);
  });
}
