import { join } from 'node:path';
import type { ArtifactsDeps } from '../../artifacts/artifacts-deps.ts';
import { packImage } from '../../artifacts/pack-image.ts';
import { newId } from '../../lib/ids.ts';
import { BuildFailed, type BuiltArtifact, type BuiltRun } from '../builder.ts';
import { DOCKERFILES } from '../detect/families/dockerfile.ts';
import { realPathInside } from '../inside.ts';
import type { Plan } from '../plan.ts';
import type { RunBuildOptions } from '../run-build.ts';
import { DEFAULT_PORT } from '../run/describe-run.ts';
import { buildArguments } from './build-arguments.ts';
import { checkDockerfile, type CheckedDockerfile, type WrittenStep } from './check-dockerfile.ts';
import type { BuiltImage, ImageMaker } from './image-maker.ts';
import { GIVEN_DOCKERFILE, packContext } from './pack-context.ts';
import { readSmallFile } from './read-small-file.ts';
import { refuseArchives } from './refuse-archives.ts';

export type ImageOptions = Pick<RunBuildOptions, 'config' | 'request' | 'hooks' | 'plan' | 'workspace' | 'signal'> & {
  images: ImageMaker;
};

/** Whether a plan is that of a Dockerfile; one of Compose files is not. */
export const isOfDockerfile = ({ language, framework }: Plan): boolean =>
  language === 'docker' && framework === 'dockerfile';

/** Has the engine build the project's Dockerfile, and packs the image that its instances run. */
export async function buildImage(deps: ArtifactsDeps, options: ImageOptions): Promise<BuiltArtifact> {
  const { images, request, hooks, plan, signal } = options;
  await hooks.onStage('building');
  if (plan.buildCommand !== null) hooks.onLine('The build command is not used: the Dockerfile says how it is built.');
  const artifactId = newId('art');
  const image = await makeImage(options, artifactId);
  try {
    const run = describeImageRun(image, { plan, ...request });
    signal.throwIfAborted();
    await hooks.onStage('packaging');
    const packed = await packImage(deps, {
      artifactId,
      ...request,
      archive: await images.save(artifactId, signal),
      layerCount: image.layerCount,
      staging: options.workspace.root,
      signal,
      onLine: (line) => hooks.onLine(line),
    });
    return { artifactId, run, ...packed };
  } catch (error) {
    // What stays for now is found by a sweep; who asked is to know why it failed.
    await images.forget([artifactId]).catch(() => {});
    throw error;
  }
}

/** Everything but the packing. */
export async function makeImage(options: ImageOptions, artifactId: string): Promise<BuiltImage> {
  const { config, images, request, hooks, plan, workspace, signal } = options;
  const { source } = workspace;
  const { rootDirectory } = plan;
  const { hostVariables, memoryMb, cpus } = config.builds;
  const { variables, environmentId } = request;
  const checked = checkDockerfile(await readDockerfile(source, rootDirectory), variables);
  await refuseArchives(checked.added, { source, rootDirectory });
  await images.prepare();
  const ids = await bringBases(options, checked);
  const steps = checked.write((name) => ids.get(name)!, images.labelsFor(environmentId));
  const dockerfile = `${steps.map((step) => step.text).join('\n')}\n`;
  const context = await packContext({ source, rootDirectory, dockerfile, staging: workspace.root, signal });
  try {
    return await images.build({
      artifactId,
      environmentId,
      context,
      dockerfile: GIVEN_DOCKERFILE,
      args: buildArguments(checked.instructions, { variables, hostVariables }),
      limits: { memoryMb, cpus },
      signal,
      onStep: (index) => tellStep(steps, index, (line) => hooks.onLine(line)),
      onLine: (line) => hooks.onLine(line),
    });
  } finally {
    context.destroy();
  }
}

async function readDockerfile(source: string, rootDirectory: string): Promise<string> {
  for (const name of DOCKERFILES) {
    const path = realPathInside(source, join(rootDirectory, name));
    if (path !== null) return readSmallFile(path, name);
  }
  throw new BuildFailed('The Dockerfile leads out of the source. Put the file itself there.');
}

async function bringBases(
  { images, hooks, signal }: ImageOptions,
  checked: CheckedDockerfile,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { name } of checked.bases) {
    if (ids.has(name)) continue;
    hooks.onLine(`Looking for the image ${name}`);
    ids.set(name, await images.bring(name, { signal, onLine: (line) => hooks.onLine(line) }));
  }
  return ids;
}

/** Steps are counted without those that are ours. */
function tellStep(steps: readonly WrittenStep[], index: number, onLine: (line: string) => void): void {
  const shown = steps[index]?.shown;
  if (!shown) return;
  const number = steps.slice(0, index + 1).filter(isTheirs).length;
  onLine(`Step ${number} of ${steps.filter(isTheirs).length}: ${shown}`);
}

const isTheirs = (step: WrittenStep): boolean => step.shown !== null;

/** What the platform would set by itself, and an image may know better. */
const KEPT_NAMES = ['HOST', 'LANG', 'TMPDIR', 'NODE_ENV'];

function describeImageRun(
  image: BuiltImage,
  { plan, settings }: { plan: Plan; settings: { startCommand: string | null; containerPort: number | null } },
): BuiltRun {
  const isSet = plan.startCommand !== null;
  if (!isSet && image.command.length === 0) {
    throw new BuildFailed(
      'The image does not say what it starts. Add a CMD to the Dockerfile, or create the application anew with a start command.',
    );
  }
  const named = plan.port !== null && image.ports.includes(plan.port) ? plan.port : image.ports[0];
  return {
    startCommand: plan.startCommand ?? image.command.map(quoteWord).join(' '),
    workDirectory: '',
    port: settings.containerPort ?? named ?? plan.port ?? DEFAULT_PORT,
    isPortKnown: settings.containerPort !== null,
    tools: {},
    variables: Object.fromEntries(Object.entries(image.env).filter(([name]) => KEPT_NAMES.includes(name))),
    image: { isCommandItsOwn: !isSet },
  };
}

const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
