import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENVIRONMENT, ORGANISATION } from '../../artifacts/testing/bench-ids.ts';
import { openArtifactsBench, type ArtifactsBench } from '../../artifacts/testing/artifacts-bench.ts';
import { readConfig, type Config } from '../../config.ts';
import type { GitSources } from '../../vcs/git/repository.ts';
import type { BuildHooks, BuildRequest, Builder, BuiltArtifact } from '../builder.ts';
import { createBuilder, type BuilderDeps } from '../create-builder.ts';
import { NOTHING_SET, type Plan } from '../plan.ts';

/** A builder whose only repository is a folder of this machine: `await using bench = await openBuilderBench()`. */
export interface BuilderBench extends ArtifactsBench {
  config: Config;
  builder: Builder;
  /** Files of a project, by path. */
  projectOf(files: Record<string, string>): string;
  build(project: string, options?: BenchOptions): Promise<Built>;
}

export interface BenchOptions extends Partial<Omit<BuildRequest, 'source'>> {
  hooks?: Partial<BuildHooks>;
}

export interface Built {
  artifact: BuiltArtifact;
  stages: string[];
  lines: string[];
  plan: Plan | undefined;
}

export const noSettings: BuildRequest['settings'] = NOTHING_SET;

let count = 0;

export async function openBuilderBench(
  environment: Record<string, string> = {},
  options: Pick<BuilderDeps, 'maxSlugBytes'> = {},
): Promise<BuilderBench> {
  const artifacts = await openArtifactsBench();
  const config = readConfig({ ...process.env, ...environment, LILAC_HOME: artifacts.home });
  const builder = createBuilder({ ...artifacts, config, gitSources: folderSources, ...options });
  return {
    ...artifacts,
    config,
    builder,
    projectOf: (files) => writeProject(mkdtempSync(join(artifacts.home, 'project-')), files),
    build: (project, options) => build(builder, project, options),
  };
}

function writeProject(folder: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function build(builder: Builder, project: string, { hooks, ...options }: BenchOptions = {}): Promise<Built> {
  const built: Omit<Built, 'artifact'> = { stages: [], lines: [], plan: undefined };
  const repository = { provider: 'provider1', owner: 'o', name: 'r', url: project, credential: null } as const;
  const artifact = await builder.build(
    {
      deploymentId: `dep_bench${process.pid}x${count++}`,
      organisationId: ORGANISATION,
      environmentId: ENVIRONMENT,
      source: { kind: 'git', repository, branch: 'main' },
      settings: noSettings,
      variables: {},
      ...options,
    },
    {
      onStage: async (stage) => void built.stages.push(stage),
      onCommit: async () => {},
      onPlan: async (plan) => void (built.plan = plan),
      onLine: (line) => void built.lines.push(line),
      signal: new AbortController().signal,
      ...hooks,
    },
  );
  return { artifact, ...built };
}

/** A branch is whatever lies in the folder. */
const folderSources = {
  checkOut: async ({ url }: { url: string }, { folder }: { folder: string }) => {
    cpSync(url, folder, { recursive: true, verbatimSymlinks: true });
    return { sha: '0'.repeat(40), message: 'first' };
  },
} as unknown as GitSources;
