import { MAX_SLUG_BYTES, packSlug } from '../artifacts/pack-slug.ts';
import type { ArtifactsDeps } from '../artifacts/artifacts-deps.ts';
import { newId } from '../lib/ids.ts';
import { BuildFailed, type BuiltArtifact } from './builder.ts';
import { excludedPaths } from './excluded-paths.ts';
import { packTree } from './pack-tree.ts';
import type { BuildSettings, Plan } from './plan.ts';
import { runBuild, type BuiltTree, type RunBuildOptions } from './run-build.ts';
import { describeRun } from './run/describe-run.ts';

/** A plan of something that runs. */
export type ServerPlan = Plan & { startCommand: string };

type ServerOptions = RunBuildOptions & { plan: ServerPlan };

/** Builds a server, and packs the tree that its instances run in. */
export async function buildServer(
  deps: ArtifactsDeps & { maxSlugBytes?: number },
  options: ServerOptions,
): Promise<BuiltArtifact> {
  const { request, hooks, workspace, signal } = options;
  const maxBytes = deps.maxSlugBytes ?? MAX_SLUG_BYTES;
  const { tree, run } = await runBuild(options, (built) => packBuilt(options, built, maxBytes));
  const { organisationId, environmentId } = request;
  const artifactId = newId('art');
  const onLine = (line: string) => hooks.onLine(line);
  const slug = {
    artifactId,
    organisationId,
    environmentId,
    ...tree,
    staging: workspace.root,
    maxBytes,
    signal,
    onLine,
  };
  return { artifactId, run, ...(await packSlug(deps, slug)) };
}

async function packBuilt(options: ServerOptions, { context, toolchain }: BuiltTree, maxBytes: number) {
  const { hooks, plan, request, workspace } = options;
  await hooks.onStage('packaging');
  const { source } = workspace;
  const run = await describeRun({ plan, settings: request.settings, source, tools: toolchain.tools });
  const excluded = await excludedPaths(source, plan);
  return { run, tree: await packTree({ context, workspace, excluded, plan, maxBytes }) };
}

const NO_ENGINE =
  'This project is built from its Dockerfile, which this platform does not do. The operator can allow it: it needs servers ' +
  'that run by Docker and LILAC_DOCKERFILES=on (with LILAC_RUNTIME=docker). To run it without, create the application ' +
  'anew with another framework, or with a start command, and a build command where it needs one.';
const NO_COMPOSE =
  'This project has only a Compose file, which the platform does not run. Create an application for each service, from ' +
  'its own folder (rootDirectory), or one with a start command.';

/** Rejects what cannot be run; the message says what to do. Nothing changes the start command of an application. */
export function requireServer(plan: Plan, settings: Pick<BuildSettings, 'startCommand'>): asserts plan is ServerPlan {
  if (plan.startCommand !== null) return;
  if (plan.language === 'docker') {
    throw new BuildFailed(plan.framework === 'docker-compose' ? NO_COMPOSE : NO_ENGINE);
  }
  const isEmptied = settings.startCommand !== null;
  const found = plan.framework ?? plan.language;
  throw new BuildFailed(
    isEmptied
      ? `The start command is set to nothing (${found}). Create the application anew with one, or without, so that it is detected.`
      : `Nothing in this project says how it is started (${found}). Add a Procfile with a line such as ` +
          '“web: node server.js”, or create the application anew with a start command. It must listen on the port that ' +
          'PORT names.',
  );
}
