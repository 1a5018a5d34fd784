import { MAX_BRANCHES, MAX_SEGMENTS, type Refusal } from './path-index.ts';
import { UnusableLine, type RuleProblem } from './rule-lines.ts';

/**
 * Of what a rule leads to, also once it is filled in: a target may name the same part of the path many times. A longer
 * one was never followed.
 */
export const MAX_TARGET_LENGTH = 16_384;

/** A file with more lines that cannot be used is none of rules. */
const MAX_PROBLEMS = 5000;

/** How much of what one address may meet a header takes: all that one address gets comes to some sixteen kibibytes. */
export function weightOfHeaders(headers: readonly (readonly [name: string, value: string])[]): number {
  return headers.reduce((sum, [name, value]) => sum + 1 + ((name.length + value.length) >> 6), 0);
}

const REASONS: Record<Refusal, string> = {
  segments: `a path with ":name" or "*" has at most ${MAX_SEGMENTS} segments: shorten it, or end it sooner with "/*".`,
  crowd:
    'together with what stands above, one address would meet too much: write paths in full where you can, or put those ' +
    'that match the same addresses together.',
  size: `paths with ":name" or "*" may have ${MAX_BRANCHES} different segments together: write paths in full where you can.`,
};

/** Whether the rest of a file is not worth reading; that is told, too. */
export function isPastReading(problems: RuleProblem[], line: number): boolean {
  if (problems.length < MAX_PROBLEMS) return false;
  problems.push({ line, reason: 'so many lines above cannot be used that nothing is read from here on.' });
  return true;
}

export function assertTaken(refusal: Refusal | null): void {
  if (refusal !== null) throw new UnusableLine(REASONS[refusal]);
}
