import { median, quantile } from './median.ts';
import { report } from './report.ts';

export interface AboveBoot {
  /** What was measured; that it is told against the boot is added. */
  name: string;
  /** What the rounds are called: wakes. */
  rounds: string;
  /** Of each round how long it took, and how long the program by itself took in turn. */
  ours: readonly number[];
  boots: readonly number[];
  /** How much more than the boot it may be, by the median. */
  atMost: number;
}

/** What a server's first answer takes is mostly its program's own boot: the platform answers for what comes on top. */
export function reportAboveBoot({ name, rounds, ours, boots, atMost }: AboveBoot): void {
  const extra = ours.map((ms, round) => ms - boots[round]!);
  console.log(`on top of its own boot p95 ${quantile(extra, 0.95).toFixed(0)} ms over ${extra.length} ${rounds}`);
  report({
    name: `${name}, against the program's own boot`,
    unit: 'ms',
    ours: median(ours),
    theirs: median(boots),
    more: median(extra),
    bar: { of: 'more', atMost },
  });
}
