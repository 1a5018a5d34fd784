import { open, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BuiltRun } from '../builder.ts';
import { realPathInside } from '../inside.ts';
import type { BuildSettings, Plan } from '../plan.ts';
import { toolsToRun } from '../toolchain/needed-tools.ts';
import type { Tool } from '../toolchain/tool.ts';
import { runVariables } from './run-variables.ts';
import { resolveScript, startedFile, startText } from './start-text.ts';

export interface RunInputs {
  plan: Plan & { startCommand: string };
  settings: Pick<BuildSettings, 'containerPort'>;
  /** The project's files. */
  source: string;
  /** What it was built with. */
  tools: readonly Tool[];
}

/** Where nobody says otherwise. */
export const DEFAULT_PORT = 8080;

/** How instances of what was built are run. */
export async function describeRun({ plan, settings, source, tools }: RunInputs): Promise<BuiltRun> {
  const manifest = await readManifest(source, plan.rootDirectory);
  const command = needsManager(plan, source) ? plan.startCommand : resolveScript(plan.startCommand, manifest.scripts);
  const needed = toolsToRun(plan.language, `${command}\n${await interpreterOf(command, source, plan.rootDirectory)}`);
  return {
    startCommand: startText(command, { ...plan, hasPython: tools.some(({ name }) => name === 'python') }),
    workDirectory: plan.rootDirectory,
    port: plan.port ?? DEFAULT_PORT,
    isPortKnown: settings.containerPort !== null,
    tools: Object.fromEntries(
      tools.filter(({ name }) => (needed as string[]).includes(name)).map(({ name, version }) => [name, version]),
    ),
    variables: { ...manifest.variables, ...runVariables(plan) },
  };
}

/** What runs the script of the project that is started: `node` of `#!/usr/bin/env node`. */
async function interpreterOf(command: string, source: string, root: string): Promise<string> {
  const program = startedFile(command);
  const path = program === null ? null : realPathInside(source, join(root, program));
  if (path === null) return '';
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(200), 0, 200, 0);
  const words = buffer.toString('latin1', 0, bytesRead).match(/^#!\s*(\S+)(?:[ \t]+(\S+))?/);
  const named = words?.[1]?.endsWith('/env') ? words[2] : words?.[1];
  return basename(named ?? '');
}

/** Where yarn keeps packages in archives, only what it starts finds them. */
function needsManager({ packageManager, workspaceDirectory }: Plan, source: string): boolean {
  return packageManager?.name === 'yarn' && realPathInside(source, join(workspaceDirectory, 'node_modules')) === null;
}

/** People write it: of a larger one, reading takes the time of whoever else is served. */
const MAX_MANIFEST_BYTES = 1024 * 1024;

interface Manifest {
  scripts: Record<string, string>;
  /** What programs read that npm would have told them. */
  variables: Record<string, string>;
}

/** Of the tree as the build left it; whatever is wrong with it, there is nothing in it then. */
async function readManifest(source: string, root: string): Promise<Manifest> {
  const path = realPathInside(source, join(root, 'package.json'));
  const manifest = path === null ? {} : parse(await readShort(path).catch(() => ''));
  const texts = { npm_package_name: manifest['name'], npm_package_version: manifest['version'] };
  return { scripts: textsOf(manifest['scripts']), variables: textsOf(texts) };
}

/** Nothing of a longer one is read: it is taken for broken. */
async function readShort(path: string): Promise<string> {
  return (await stat(path)).size <= MAX_MANIFEST_BYTES ? readFile(path, 'utf8') : '';
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function textsOf(values: unknown): Record<string, string> {
  const entries = Object.entries(Object(values) as Record<string, unknown>);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
