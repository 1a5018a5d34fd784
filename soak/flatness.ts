import { median } from '../bench/measuring/median.ts';
import { ROWS } from './disk.ts';
import { pointsOf, type Sample } from './sample.ts';
import { fitLine, type Point } from './straight-line.ts';

interface Bar {
  kind: string;
  unit: string;
  /** How much more a figure may be in the last quarter than in the second; in the first, caches fill. */
  share: number;
  beside: number;
  /** How much it may rise in the second half where it rises steadily. Left out: it follows how many share it. */
  rise?: number;
}

const bars: readonly Bar[] = [
  // A share of what Node's processes have in common is in it, and so how many of them the machine runs.
  { kind: 'memory', unit: 'MB', share: 0.1, beside: 5 },
  { kind: 'own memory', unit: 'MB', share: 0.1, beside: 5, rise: 2 },
  { kind: 'kept memory', unit: 'MB', share: 0.1, beside: 2, rise: 1 },
  { kind: 'largest process', unit: 'MB', share: 0.1, beside: 1, rise: 1 },
  { kind: 'usual process', unit: 'MB', share: 0.1, beside: 0.5, rise: 0.5 },
  { kind: 'files', unit: '', share: 0.1, beside: 5, rise: 5 },
  { kind: 'disk', unit: 'MB', share: 0.1, beside: 20, rise: 5 },
  { kind: 'processor time', unit: 's/min', share: 0.25, beside: 0.5, rise: 0.5 },
  { kind: 'wait', unit: 'ms', share: 0.5, beside: 2, rise: 2 },
  { kind: 'long wait', unit: 'ms', share: 1, beside: 20, rise: 20 },
];

/** Whom the same visitor visits to learn what the machine itself makes everybody wait. */
export const BARE = 'bare server';

/** The rows that people write are theirs to keep; and what the machine makes everybody wait is not ours. */
const UNJUDGED = new RegExp(`^disk of ${ROWS}$| of ${BARE}$`);

export interface Course {
  name: string;
  unit: string;
  early: number;
  late: number;
  /** How fast it rises in the second half, what comes and goes left out. */
  perDay: number;
  /** Null where there is no bar. */
  isFlat: boolean | null;
}

/** How each figure went: what it was at first, what in the end, and whether that counts as flat. */
export function judgeFlatness(samples: readonly Sample[]): Course[] {
  const names = [...new Set(samples.flatMap(({ figures }) => Object.keys(figures)))];
  return names.map((name) => {
    const points = sharedOut(pointsOf(name, samples), name, samples);
    const [early, late] = [1, 3].map((quarter) => median(partOf(points, quarter / 4, (quarter + 1) / 4)));
    const bar = bars.find(({ kind }) => name.startsWith(`${kind} of`));
    const trend = trendOf(points.slice(Math.floor(points.length / 2)));
    const isSame = bar && late! <= early! * (1 + bar.share) + bar.beside;
    const rises = bar?.rise !== undefined && trend.isSteady && trend.rise > bar.rise;
    const isFlat = bar && !UNJUDGED.test(name) ? isSame! && !rises : null;
    return { name, unit: bar?.unit ?? '', early: early!, late: late!, perDay: trend.perMinute * MINUTES_A_DAY, isFlat };
  });
}

/**
 * A wait as it would have been, had the machine been as busy all the time as it was in the middle: whatever a bare
 * server's visitors waited longer at that moment was not for us. So neither does a busy hour hide what got slower, nor
 * does it look like that. A platform that itself makes the machine busy is hidden by it, and told by its processor
 * time.
 */
function sharedOut(points: Point[], name: string, samples: readonly Sample[]): Point[] {
  const [, kind] = /^((?:long )?wait) of /.exec(name) ?? [];
  const bare = new Map(kind ? pointsOf(`${kind} of ${BARE}`, samples).map(({ at, value }) => [at, value]) : []);
  if (bare.size === 0 || name.endsWith(BARE)) return points;
  const usual = median([...bare.values()]);
  return points.map(({ at, value }) => ({ at, value: (value * usual) / (bare.get(at) ?? usual) }));
}

function partOf(points: readonly Point[], from: number, to: number): number[] {
  const place = (share: number) => Math.floor(points.length * share);
  return points.slice(place(from), place(to)).map(({ value }) => value);
}

const MINUTES_A_DAY = 24 * 60;
const STRETCHES = 12;
/** What goes up and down as memory is collected is nearer to a level line than to one that rises. */
const STEADY = 3;

interface Trend {
  perMinute: number;
  /** From the first to the last point. */
  rise: number;
  /** Its rise is much more than what it is off the line: it is no accident of when it began and ended. */
  isSteady: boolean;
}

/** By the least of each stretch: what is there when nothing is going on and all that can be collected is. */
function trendOf(points: readonly Point[]): Trend {
  const length = Math.max(1, Math.floor(points.length / STRETCHES));
  const stretches = Array.from({ length: Math.ceil(points.length / length) }, (_, at) =>
    points.slice(at * length, (at + 1) * length),
  );
  const least = stretches.map((stretch) => ({
    at: stretch[0]!.at,
    value: Math.min(...stretch.map(({ value }) => value)),
  }));
  const { slope, spread } = fitLine(least);
  const rise = slope * (least.at(-1)!.at - least[0]!.at);
  return { perMinute: slope, rise, isSteady: rise > STEADY * spread };
}
