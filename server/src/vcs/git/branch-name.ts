import { invalid } from '../../lib/fault.ts';

/**
 * What `git check-ref-format --branch` allows, so that no program needs to be asked; and therefore
 * nothing that git could take for an option, a pattern or a revision.
 */
export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD' || name.startsWith('-') || name.length > 255) return false;
  if (FORBIDDEN.test(name) || name.includes('..') || name.includes('@{') || name.endsWith('.')) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

/** The full name of a branch: a short one could also mean a tag or a commit. */
export function refOfBranch(name: string): string {
  if (!isBranchName(name)) throw invalid(`"${name}" cannot be the name of a branch.`);
  return `refs/heads/${name}`;
}

// Controls, space, and what has a meaning in patterns and revisions.
// oxlint-disable-next-line no-control-regex -- they are the point
const FORBIDDEN = /[\u0000-\u0020\u007F~^:?*[\\]/;
