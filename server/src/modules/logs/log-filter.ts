import { severities as allSeverities, type Severity } from '@lilac/contract/states';
import { invalid } from '../../lib/fault.ts';
import { createTextFinder } from '../../lib/find-text.ts';
import type { LogEntry } from '../../logs/log-entry.ts';
import { parseSeverity } from '../../logs/severity.ts';

/** What a line must be to be shown: the same for what was and for what comes. Left out or null, anything will do. */
export interface LogFilter {
  /** Any of them; an empty list is as good as none. */
  severities?: readonly Severity[] | null;
  /** A part of the message; upper and lower case are the same, and no character is special. */
  textSearch?: string | null;
  /** Both inclusive. */
  startTime?: Date | null;
  endTime?: Date | null;
}

export type LogMatch = (entry: Pick<LogEntry, 'atMs' | 'severity' | 'message'>) => boolean;

/** What is asked of a chunk, the cheapest first. */
export interface CompiledFilter {
  /** Whether the text can be in any of the messages, given all of them. */
  canBeIn: (text: string) => boolean;
  /** The severities that are asked for, a bit each. */
  mask: number;
  matches: LogMatch;
}

export function compileForChunks(filter: LogFilter): CompiledFilter {
  return {
    canBeIn: compileTextSearch(filter.textSearch),
    mask: severityMask(filter.severities),
    matches: compileFilter(filter),
  };
}

export function compileFilter({ severities, textSearch, startTime, endTime }: LogFilter): LogMatch {
  const mask = severityMask(severities);
  const includesText = compileTextSearch(textSearch);
  const startMs = startTime?.getTime() ?? -Infinity;
  const endMs = endTime?.getTime() ?? Infinity;
  return ({ atMs, severity, message }) =>
    (mask & bitOf(severity)) !== 0 && atMs >= startMs && atMs <= endMs && includesText(message);
}

/**
 * Also for many messages at once, joined by newlines: where this says no, none of them has it. Everybody's searches
 * share one thread, so that no text may be slow to look for.
 */
export function compileTextSearch(textSearch: string | null | undefined): (text: string) => boolean {
  if (!textSearch) return () => true;
  const isIn = createTextFinder(foldCase(textSearch));
  return (text) => isIn(foldCase(text));
}

/**
 * Each character becomes the same wherever it stands, so that a part of a text stays a part of it. Lower case
 * alone is not so: Σ at the end of a word becomes ς. And İ becomes i with a dot above, which nobody types.
 * Nearly free where neither is in the text, and more so where all of it is ASCII.
 */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ').replaceAll('\u0307', '');
}

const EVERY_SEVERITY = (1 << allSeverities.length) - 1;

/** As `log_chunks.severities` has them: a bit for each, the least severe first. */
export function severityMask(severities: readonly Severity[] | null | undefined): number {
  if (!severities || severities.length === 0) return EVERY_SEVERITY;
  return severities.reduce((mask, severity) => mask | bitOf(severity), 0);
}

const bits = new Map(allSeverities.map((severity, index) => [severity, 1 << index]));

const bitOf = (severity: Severity): number => bits.get(severity)!;

/** As people write them, in any case and under other names; empty ones are overlooked. Unknown ones are refused. */
export function requireSeverities(names: readonly string[]): Severity[] {
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => parseSeverity(name) ?? unknownSeverity(name));
}

function unknownSeverity(name: string): never {
  throw invalid(`severity: there is no "${name}". Use any of ${allSeverities.join(', ')}.`);
}
