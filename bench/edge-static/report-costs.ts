import { median } from '../measuring/median.ts';
import { report, reportMissing } from '../measuring/report.ts';
import { adviceFor } from './programs.ts';

export interface Costs {
  path: string;
  /** Microseconds of processor time per request, by server; ours is called `edge`. */
  rounds: readonly Readonly<Record<string, number>>[];
  /** Who we are compared with, and in which package it is. */
  packages: Readonly<Record<string, string>>;
  missing: readonly string[];
  /** The most that ours may be, as a share of theirs. Some are shown without. */
  atMost: Readonly<Record<string, number | undefined>>;
}

/** A line for every peer. */
export function reportCosts({ path, rounds, packages, missing, atMost }: Costs): void {
  const cost = (name: string) => median(rounds.map((costs) => costs[name]!));
  for (const peer of Object.keys(packages)) {
    const name = `processor time of a request for ${path}, against ${peer}`;
    const bar = atMost[peer];
    if (missing.includes(peer)) reportMissing(name, adviceFor(packages, [peer]));
    else
      report({
        name,
        unit: 'µs',
        ours: cost('edge'),
        theirs: cost(peer),
        ratio: median(rounds.map((costs) => costs['edge']! / costs[peer]!)),
        bar: bar === undefined ? undefined : { of: 'ratio', atMost: bar },
      });
  }
}
