import type { BuildSettings, Plan } from '../../plan.ts';
import { detectPlan } from '../detect-plan.ts';
import { memoryTree } from './memory-tree.ts';

export const noSettings: BuildSettings = {
  deploymentType: null,
  framework: null,
  runtime: null,
  rootDirectory: null,
  buildCommand: null,
  outputDirectory: null,
  startCommand: null,
  containerPort: null,
};

/** The plan for the files given by their paths. */
export function planFor(
  files: Readonly<Record<string, unknown>>,
  settings: Partial<BuildSettings> = {},
): Promise<Plan> {
  return detectPlan(memoryTree(files), { ...noSettings, ...settings });
}
