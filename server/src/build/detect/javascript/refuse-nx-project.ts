import { posix } from 'node:path';
import { openSubTree } from '../../../source/sub-tree.ts';
import { PlanRefused } from '../../plan.ts';
import type { Project } from '../finding.ts';
import { openProjectFiles } from '../project-files.ts';

/**
 * Nx keeps projects without a manifest: one at the root holds everything, and what builds the project is
 * known to Nx alone. Its sources must not be taken for pages.
 */
export async function refuseNxProject({ tree, files, rootDirectory }: Project): Promise<void> {
  if (rootDirectory === '' || !files.fileNames.has('project.json')) return;
  for (let folder = rootDirectory; folder !== '';) {
    folder = posix.dirname(folder) === '.' ? '' : posix.dirname(folder);
    const above = await openProjectFiles(openSubTree(tree, folder));
    if (!above.fileNames.has('nx.json')) continue;
    const name = posix.basename(rootDirectory);
    throw new PlanRefused(
      `“${rootDirectory}” is a project of Nx without a package.json. Create the application anew ${folder === '' ? 'without a folder' : `with the folder “${folder}”`} (rootDirectory), ` +
        `with the build command npx nx build ${name} and the output folder dist/${rootDirectory}.`,
    );
  }
}
