/**
 * What a process counts of its own life, for the operator's metrics. Each is a number in memory: whoever
 * counts keeps the series and adds to it. Labels come from small, fixed sets: a label with an id in it
 * would grow for ever.
 */
export type Labels = Readonly<Record<string, string>>;
export type VitalKind = 'counter' | 'gauge' | 'histogram';

/** One series. A counter only grows for the life of the process; a gauge may be set. */
export interface Series {
  value: number;
}

/** One family as it is written down and shown. */
export interface VitalFamily {
  name: string;
  kind: VitalKind;
  help: string;
  samples: VitalSample[];
}

export interface VitalSample {
  labels: Labels;
  /** For histograms the sum of all that was observed. */
  value: number;
  /**
   * For histograms: how many were at most as much as each bound, not counting those of smaller bounds; the last has no
   * bound.
   */
  buckets?: { bounds: readonly number[]; counts: readonly number[] };
}

const NAME = /^lilac_[a-z][a-z0-9_]*$/;
const LABEL_NAME = /^[a-z][a-z0-9_]*$/;

interface Entry {
  labels: Labels;
  sample(): VitalSample;
  series: Series | Histogram | null;
}

interface Family {
  kind: VitalKind;
  help: string;
  entries: Map<string, Entry>;
}

export class Histogram {
  readonly bounds: readonly number[];
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.bounds.length && value > this.bounds[at]!) at++;
    this.counts[at]!++;
    this.sum += value;
  }
}

export class Vitals {
  readonly #families = new Map<string, Family>();

  /** The series of this name and these labels; the same one however often it is asked for. */
  counter(name: string, help: string, labels: Labels = {}): Series {
    return this.#numberOf('counter', { name, help, labels });
  }

  gauge(name: string, help: string, labels: Labels = {}): Series {
    return this.#numberOf('gauge', { name, help, labels });
  }

  /** For what is known already: it is asked when the numbers are written down. */
  read(kind: 'counter' | 'gauge', name: string, help: string, value: () => number, labels: Labels = {}): void {
    const entries = this.#entriesOf(kind, name, help);
    entries.set(keyOf(labels), { labels, series: null, sample: () => ({ labels, value: value() }) });
  }

  histogram(name: string, help: string, bounds: readonly number[], labels: Labels = {}): Histogram {
    const entries = this.#entriesOf('histogram', name, help);
    const known = entries.get(keyOf(labels))?.series;
    if (known instanceof Histogram) return known;
    const series = new Histogram(bounds);
    const sample = () => ({ labels, value: series.sum, buckets: { bounds, counts: [...series.counts] } });
    entries.set(keyOf(labels), { labels, series, sample });
    return series;
  }

  /** Everything as it is now. */
  snapshot(): VitalFamily[] {
    return [...this.#families].map(([name, { kind, help, entries }]) => ({
      name,
      kind,
      help,
      samples: [...entries.values()].map((entry) => entry.sample()),
    }));
  }

  #numberOf(kind: 'counter' | 'gauge', { name, help, labels }: { name: string; help: string; labels: Labels }): Series {
    const entries = this.#entriesOf(kind, name, help);
    const known = entries.get(keyOf(labels))?.series;
    if (known && !(known instanceof Histogram)) return known;
    for (const label of Object.keys(labels)) assertFits(label, LABEL_NAME);
    const series: Series = { value: 0 };
    entries.set(keyOf(labels), { labels, series, sample: () => ({ labels, value: series.value }) });
    return series;
  }

  #entriesOf(kind: VitalKind, name: string, help: string): Map<string, Entry> {
    const known = this.#families.get(name);
    if (known && known.kind !== kind) throw new Error(`${name} is a ${known.kind} already.`);
    if (known) return known.entries;
    assertFits(name, NAME);
    if (name.endsWith('_total') !== (kind === 'counter'))
      throw new Error(`${name}: counters, and only they, end with _total.`);
    const entries = new Map<string, Entry>();
    this.#families.set(name, { kind, help, entries });
    return entries;
  }
}

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function assertFits(name: string, pattern: RegExp): void {
  if (!pattern.test(name)) throw new Error(`"${name}" is no name for a metric or a label here.`);
}

/** Those of this process. */
export const vitals = new Vitals();
