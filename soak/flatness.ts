import { median } from '../bench/measuring/median.ts';
import type { Sample } from './sample.ts';

/** How much more a figure may be in the last quarter than in the second; in the first, caches fill. */
const allowed: readonly { kind: string; share: number; beside: number; unit: string }[] = [
  { kind: 'memory', share: 0.1, beside: 5, unit: 'MB' },
  { kind: 'files', share: 0.1, beside: 5, unit: '' },
  { kind: 'disk', share: 0.1, beside: 20, unit: 'MB' },
  { kind: 'wait', share: 0.5, beside: 2, unit: 'ms' },
];

/** The rows that people write are theirs to keep. */
const KEPT = 'disk of databases';

export interface Course {
  name: string;
  unit: string;
  early: number;
  late: number;
  /** Null where there is no bar. */
  isFlat: boolean | null;
}

/** How each figure went: what it was at first, what in the end, and whether that counts as flat. */
export function judgeFlatness(samples: readonly Sample[]): Course[] {
  const names = Object.keys(samples.at(-1)?.figures ?? {});
  const quarter = (number: number) =>
    samples.slice(Math.floor((samples.length * number) / 4), Math.floor((samples.length * (number + 1)) / 4));
  const [second, last] = [quarter(1), quarter(3)];
  return names.map((name) => {
    const [early, late] = [second, last].map((part) => median(part.map(({ figures }) => figures[name] ?? 0)));
    const bar = allowed.find(({ kind }) => name.startsWith(`${kind} of`));
    const isFlat = bar && name !== KEPT ? late! <= early! * (1 + bar.share) + bar.beside : null;
    return { name, unit: bar?.unit ?? '', early: early!, late: late!, isFlat };
  });
}
