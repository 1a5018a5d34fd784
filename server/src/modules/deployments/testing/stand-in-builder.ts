import { randomBytes } from 'node:crypto';
import {
  BuildFailed,
  type BuildHooks,
  type BuildRequest,
  type Builder,
  type BuiltRun,
} from '../../../build/builder.ts';
import type { Plan } from '../../../build/plan.ts';
import type { Store } from '../../../db/pool.ts';
import { newId } from '../../../lib/ids.ts';

export type Behaviour = (request: BuildRequest, hooks: BuildHooks) => Promise<void>;

/** Goes through the stages as a real one, does in the middle what it is told to, and writes a whole artifact. */
export interface StandInBuilder extends Builder {
  requests: BuildRequest[];
  /** How many builds go on now. */
  running(): number;
  next: Behaviour;
  /** How what is built is run; null, and files are built. */
  run: BuiltRun | null;
}

/** A server as a build leaves it. */
export const builtServer: BuiltRun = {
  startCommand: 'node server.js',
  workDirectory: '',
  port: 8080,
  isPortKnown: false,
  tools: { node: '24.21.0' },
  variables: { NODE_OPTIONS: '--enable-source-maps' },
};

export const plan: Plan = {
  framework: 'vite',
  language: 'node',
  deploymentType: 'static',
  runtime: null,
  rootDirectory: '',
  workspaceDirectory: '',
  lockFile: null,
  packageManager: null,
  nodeVersion: null,
  installCommand: null,
  buildCommand: 'vite build',
  outputDirectory: 'dist',
  startCommand: null,
  port: null,
  cacheFolders: [],
  buildVariables: {},
  isSinglePage: true,
  notes: [],
};

export function createStandInBuilder(store: Pick<Store, 'db'>): StandInBuilder {
  let running = 0;
  const builder: StandInBuilder = {
    requests: [],
    running: () => running,
    next: async () => {},
    run: null,
    async build(request, hooks) {
      builder.requests.push(request);
      running++;
      try {
        await hooks.onStage('fetching');
        if (request.source.kind === 'git')
          await hooks.onCommit({ sha: 'c0ffee'.repeat(6) + 'c0ff', message: 'A change\n\nMore.' });
        await hooks.onStage('detecting');
        await hooks.onPlan(plan);
        await hooks.onStage('building');
        hooks.onLine('vite v7 building');
        await builder.next(request, hooks);
        hooks.signal.throwIfAborted();
        await hooks.onStage('packaging');
        const { run } = builder;
        return { artifactId: await insertArtifact(store, request, run), run, fileCount: 3, size: 300 };
      } finally {
        running--;
      }
    },
    async sweep() {},
    async forgetEnvironment() {},
  };
  return builder;
}

/** Builds until it is told to stop. */
export const endless: Behaviour = (_request, { signal }) =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

export const failing: Behaviour = async (_request, hooks) => {
  hooks.onLine('src/app.ts(1,1): error TS1005');
  throw new BuildFailed('The build command failed with exit code 2.');
};

async function insertArtifact(
  { db }: Pick<Store, 'db'>,
  { organisationId, environmentId }: BuildRequest,
  run: BuiltRun | null,
) {
  const id = newId('art');
  const row = {
    id,
    organisation_id: organisationId,
    environment_id: environmentId,
    kind: run ? 'slug' : 'static',
    state: 'whole',
  } as const;
  await db.insertInto('artifacts').values(row).execute();
  if (run)
    await db
      .insertInto('artifact_blobs')
      .values({ artifact_id: id, hash: randomBytes(32) })
      .execute();
  return id;
}
