import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Isolation } from '../sandbox/sandbox.ts';
import { readInstallInputs, type InstallInputs } from './cache/install-inputs.ts';
import { confirmInstalledTrees, findInstalledTrees, keepInstalledTrees } from './cache/installed-trees.ts';
import { layOutTrees, nothingLaidOut, type LaidOut } from './cache/lay-out-trees.ts';
import { inner } from './inner-paths.ts';
import type { Plan } from './plan.ts';
import { runStep, shellArgv, stepFailed, tryStep, type StepContext } from './run-step.ts';
import type { Workspace } from './workspace.ts';

export interface InstallOptions {
  plan: Plan;
  workspace: Workspace;
  isolation: Isolation;
  context: StepContext;
  env: Readonly<Record<string, string>>;
  variables: Readonly<Record<string, string>>;
  /** Of the tools. */
  fingerprint: string;
  /** The folder of kept packages of this environment. */
  installed: string;
}

export interface Installed {
  laidOut: LaidOut;
  /** Has later builds find them; for when this one has no more use of the disk. Its caches are held until then. */
  keep: () => Promise<void>;
}

/**
 * Brings the packages in: those an earlier build with the same lock file installed, or by installing
 * and keeping them. Either way the build gets them laid over, so that it cannot change what is kept.
 */
export async function installPackages(options: InstallOptions): Promise<Installed> {
  const { plan, workspace, isolation, context, installed } = options;
  const inputs = await readInstallInputs({ ...options, source: workspace.source });
  const folder = join(installed, inputs.key);
  // Packages that came with the project would be covered.
  const found = inputs.hasInstalledFolders ? null : await findInstalledTrees(folder, workspace.source);
  if (found) {
    const laidOut = await layOutTrees(found, workspace, isolation);
    context.onLine('Nothing that decides over the packages has changed: those of an earlier build are used.');
    await runOwnScripts(options, inputs, laidOut);
    return nothingToKeep(laidOut);
  }
  await runInstall(options);
  if (inputs.hasInstalledFolders || !plan.packageManager) return nothingToKeep(nothingLaidOut(workspace));
  await mkdir(installed, { recursive: true, mode: 0o755 });
  const made = await keepInstalledTrees(folder, workspace.source, plan.workspaceDirectory);
  if (!made) return nothingToKeep(nothingLaidOut(workspace));
  const laidOut = await layOutTrees(made, workspace, isolation);
  return { laidOut, keep: () => confirmInstalledTrees(made) };
}

export const nothingToKeep = (laidOut: LaidOut): Installed => ({ laidOut, keep: () => Promise.resolve() });

const MAX_COMPLAINTS = 1000;

async function runInstall({ plan, context, env }: InstallOptions): Promise<void> {
  const command = plan.installCommand ?? '';
  const cwd = join(inner.source, plan.workspaceDirectory);
  if (!/^npm ci\b/.test(command))
    return runStep(context, { name: 'install', argv: shellArgv(command), command, cwd, env });
  // A page of usage where the lock file is out of step, which is then no error at all.
  const complaints: string[] = [];
  const isComplaint = (line: string) => /^npm (error|ERR!)/.test(line) && complaints.length < MAX_COMPLAINTS;
  const onLine = (line: string) => (isComplaint(line) ? void complaints.push(line) : context.onLine(line));
  const step = { name: 'install', argv: shellArgv(command), command, cwd, env };
  const exitCode = await tryStep({ ...context, onLine }, step);
  const isOutOfStep = exitCode !== 0 && complaints.some((line) => /\bEUSAGE\b/.test(line));
  if (!isOutOfStep) for (const line of complaints) context.onLine(line);
  if (exitCode === 0) return;
  if (!isOutOfStep) throw stepFailed(step, exitCode);
  context.onLine('The lock file does not fit package.json: npm install is used instead. Commit a new lock file.');
  const instead = command.replace(/^npm ci\b/, 'npm install');
  await runStep(context, { name: 'install', argv: shellArgv(instead), command: instead, cwd, env });
}

/** Folders and scripts are arguments, never text of the command. */
const RUN_SCRIPTS = 'run=$1; shift; while [ $# -gt 0 ]; do (cd "$1" && "$run" run "$2") || exit; shift 2; done';

/** What an install would run of the project itself may depend on any of its files, so it is run again. */
async function runOwnScripts(
  { plan, context, env }: InstallOptions,
  inputs: InstallInputs,
  laidOut: LaidOut,
): Promise<void> {
  if (inputs.scripts.length === 0) return;
  const manager = plan.packageManager?.name ?? 'npm';
  const cwd = join(inner.source, plan.workspaceDirectory);
  const scripts = inputs.scripts.flatMap(({ folder, script }) => [join(cwd, folder), script]);
  await runStep(
    { ...context, mounts: [...context.mounts, ...laidOut.mounts] },
    {
      name: 'install',
      argv: ['/bin/sh', '-c', RUN_SCRIPTS, 'sh', manager, ...scripts],
      command: inputs.scripts.map(({ script }) => `${manager} run ${script}`).join('; '),
      cwd,
      env,
    },
  );
}
