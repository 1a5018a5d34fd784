import { posix } from 'node:path';
import type { Finding } from '../finding.ts';
import type { JsProject } from './js-project.ts';
import { installCommand } from './package-manager.ts';

const INSTALL_HOOKS = ['preinstall', 'install', 'postinstall', 'prepare'];
const QUIET = { DO_NOT_TRACK: '1', TURBO_TELEMETRY_DISABLED: '1' };

/** What holds for every package of JavaScript: where it lies, and how its packages are installed. */
export function commonFinding(project: JsProject): Omit<Finding, 'framework' | 'deploymentType'> {
  const workspaceDirectory = project.workspace?.directory ?? project.rootDirectory;
  const { lockFile } = project.choice;
  return {
    language: 'node',
    rootDirectory: project.rootDirectory,
    workspaceDirectory,
    lockFile: lockFile && posix.join(workspaceDirectory, lockFile),
    packageManager: project.manager,
    nodeVersion: project.node.version,
    installCommand: needsInstall(project) ? installCommand(project.choice) : null,
    buildVariables: QUIET,
    notes: [...project.choice.notes, ...project.node.notes],
  };
}

function needsInstall({ manifest, choice, workspace }: JsProject): boolean {
  if (workspace || manifest.workspaces || choice.lockFile) return true;
  return Object.keys(manifest.dependencies).length > 0 || INSTALL_HOOKS.some((hook) => hook in manifest.scripts);
}
