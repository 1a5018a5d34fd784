import { describeTally } from '../e2e/load.ts';
import type { Happenings } from './happenings.ts';
import type { Problem } from './invariants/problem.ts';
import { parts, type Span } from './outages.ts';
import type { Scene } from './scene.ts';

export interface Outcome {
  happenings: Happenings;
  /** In which faults came. */
  span: Span;
  problems: readonly Problem[];
}

/** What happened, in numbers, and what did not hold. */
export function tellOutcome(scene: Scene, { happenings, span, problems }: Outcome, say: (line: string) => void): void {
  const { loads, kept, outages, events } = scene;
  say('');
  for (const { tally } of loads) say(describeTally(tally));
  for (const { type, writes } of kept) say(`${writes.acknowledged.length} rows were acknowledged by ${type}`);
  say(`${outages.count()} requests failed, ${outages.unexplained().length} of them without a fault that explains it`);
  say(`${scene.watch.failed().length} deployments failed`);
  for (const line of happenings.describe()) say(line);
  for (const line of describeOutages(scene, span)) say(line);
  for (const { invariant, about, what } of problems) {
    say(`\nBROKEN: ${invariant}\n  ${about}: ${what}\n  what happened to it:`);
    for (const line of events.about(about)) say(`    ${line}`);
  }
  if (problems.length === 0) say('Every promise was kept.');
}

function describeOutages({ outages }: Scene, span: Span): string[] {
  const recoveries = outages.recoveries();
  const slowest = recoveries.toSorted((a, b) => b.tookMs - a.tookMs)[0];
  const longest = recoveries.toSorted((a, b) => b.wholeMs - a.wholeMs)[0];
  return [
    ...parts.map((part) => {
      const { freeShare, longestMs } = outages.burdenOf(part, span);
      return `${part}: ${Math.round(freeShare * 100)} % of the time without an excuse, ${seconds(longestMs)} with one at the longest`;
    }),
    ...(slowest
      ? [`The slowest to come back: ${slowest.what}, ${seconds(slowest.tookMs)} after the last harm that reached it`]
      : []),
    ...(longest ? [`The longest in all: ${longest.what}, ${seconds(longest.wholeMs)} after its own harm`] : []),
  ];
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
