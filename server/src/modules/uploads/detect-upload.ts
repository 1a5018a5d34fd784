import type { z } from 'zod';
import type { DeploymentType } from '@lilac/contract/states';
import type { detectedProject } from '@lilac/contract/upload-shapes';
import { detectApart } from '../../build/detect/detect-apart.ts';
import { NOTHING_SET, PlanRefused } from '../../build/plan.ts';
import type { ArchiveSource } from '../../source/archive/archive-source.ts';
import { openArchiveTree } from '../../source/archive/open-archive-tree.ts';
import { presentPlan } from '../repositories/present.ts';

/** What the caller says of the project; the word of a person wins over what is seen. */
export interface UploadHints {
  framework?: string;
  runtime?: string;
  deploymentType?: DeploymentType;
  buildCommand?: string;
  outputDirectory?: string;
}

type DetectedProject = z.infer<typeof detectedProject>;

export interface UploadFindings extends DetectedProject {
  /** What of it the caller said: settings of the application made from it. What was seen is seen anew by each build. */
  hints: UploadHints;
}

/**
 * What is in an archive. Rejects with AR001 where the archive cannot be used. Null where nothing is
 * recognised: that is no fault of the archive, and whoever deploys it may still say how.
 */
export async function detectUpload(
  archive: ArchiveSource,
  { owner, hints: given }: { owner: string; hints: UploadHints },
): Promise<UploadFindings | null> {
  const hints: UploadHints = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  await using tree = await openArchiveTree(archive);
  try {
    return { ...presentPlan(await detectApart(tree, { ...NOTHING_SET, ...hints }, { owner })), ...hints, hints };
  } catch (error) {
    if (error instanceof PlanRefused) return hints.deploymentType ? describeHints(hints, hints.deploymentType) : null;
    throw error;
  }
}

function describeHints(hints: UploadHints, deploymentType: DeploymentType): UploadFindings {
  const { framework = null, runtime = null, buildCommand = null, outputDirectory = null } = hints;
  const unknown = { installCommand: null, startCommand: null, packageManager: null };
  return { framework, runtime, deploymentType, buildCommand, outputDirectory, ...unknown, hints };
}
