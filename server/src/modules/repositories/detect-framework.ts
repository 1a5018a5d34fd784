import { detectApart } from '../../build/detect/detect-apart.ts';
import { NOTHING_SET, PlanRefused, type Plan } from '../../build/plan.ts';
import { invalid } from '../../lib/fault.ts';
import type { OpenTree } from '../../vcs/git/repository.ts';

/** How a branch's head would be built when nothing but its folder is set. */
export async function detectFramework(
  tree: OpenTree,
  { rootDirectory, owner }: { rootDirectory: string | null; owner: string },
): Promise<Plan> {
  try {
    return await detectApart(tree, { ...NOTHING_SET, rootDirectory }, { owner });
  } catch (error) {
    if (error instanceof PlanRefused) throw invalid(error.message);
    throw error;
  }
}
