import { families } from '../../build/detect/all-families.ts';
import { toSlug } from '../../build/detect/framework-names.ts';
import { invalid } from '../../lib/fault.ts';

/** Every framework that detection knows, by the slug in common use. */
export const frameworks: readonly string[] = [...new Set(families.flatMap((family) => family.frameworks))].toSorted();

/**
 * Names that say nothing of how a project is built, such as `react`, are as good as none; what is unknown is a mistake.
 */
export function assertFramework(field: string, name: string): void {
  const slug = toSlug(name);
  if (slug === null || frameworks.includes(slug)) return;
  throw invalid(
    `${field} "${name}" is not a known framework. Leave it out to have it detected, or take one of the frameworks that ` +
      'GET /api/config/platform lists; POST /api/applications/detect-framework tells which one a repository uses.',
  );
}
