import { NOTHING_SET, type BuildSettings, type Plan } from '../../plan.ts';
import { detectPlan } from '../detect-plan.ts';
import { memoryTree } from './memory-tree.ts';

export const noSettings = NOTHING_SET;

/** The plan for the files given by their paths. */
export function planFor(
  files: Readonly<Record<string, unknown>>,
  settings: Partial<BuildSettings> = {},
): Promise<Plan> {
  return detectPlan(memoryTree(files), { ...noSettings, ...settings });
}
