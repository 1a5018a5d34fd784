/**
 * The text format 0.0.4, read as strictly as Prometheus and promtool do; throws at the first line that is not right.
 */
export interface ParsedFamily {
  kind: string;
  help: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const HEADER = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;
const NUMBER = /^([+-]Inf|NaN|-?(\d+|\d*\.\d+)(e[+-]?\d+)?)$/i;

export function parseExposition(text: string): Map<string, ParsedFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, ParsedFamily>();
  const seen = new Set<string>();
  let current: { name: string; family: ParsedFamily } | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    const header = HEADER.exec(line);
    if (header) {
      current = readHeader(header, current, families);
      continue;
    }
    if (!current) throw new Error(`a sample of no family: ${line}`);
    readSample(line, current, seen);
  }
  for (const [name, family] of families) if (family.kind === 'histogram') checkHistogram(name, family);
  return families;
}

function readHeader(
  [, what, name, rest]: RegExpExecArray | string[],
  current: { name: string; family: ParsedFamily } | null,
  families: Map<string, ParsedFamily>,
) {
  if (what === 'HELP') {
    if (families.has(name!)) throw new Error(`${name} comes twice`);
    const family = { kind: '', help: rest!, samples: [] };
    families.set(name!, family);
    return { name: name!, family };
  }
  if (current?.name !== name || current!.family.kind) throw new Error(`a TYPE in the wrong place: ${name}`);
  if (!['counter', 'gauge', 'histogram'].includes(rest!)) throw new Error(`no kind: ${rest}`);
  if ((rest === 'counter') !== name!.endsWith('_total')) throw new Error(`${name} is a ${rest}`);
  current!.family.kind = rest!;
  return current!;
}

function readSample(line: string, { name, family }: { name: string; family: ParsedFamily }, seen: Set<string>): void {
  const [, sampleName, labelText = '', valueText] = SAMPLE.exec(line) ?? [];
  if (!sampleName || !NUMBER.test(valueText!)) throw new Error(`not a sample: ${line}`);
  const suffixes = family.kind === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  if (!suffixes.some((suffix) => sampleName === name + suffix)) throw new Error(`${sampleName} among ${name}`);
  const labels = readLabels(labelText, line);
  const key = JSON.stringify([sampleName, Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  if (seen.has(key)) throw new Error(`the same series twice: ${line}`);
  seen.add(key);
  const value = Number(valueText!.replace('Inf', 'Infinity'));
  if (family.kind !== 'gauge' && !(value >= 0)) throw new Error(`counters do not go below zero: ${line}`);
  family.samples.push({ name: sampleName, labels, value });
}

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name = '', value = ''] = LABEL.exec(text) ?? [];
    if (!name || name in labels || name.startsWith('__')) throw new Error(`labels are not right: ${line}`);
    labels[name] = value.replaceAll(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));
  }
  return labels;
}

const isGrowing = (values: number[]) => values.every((value, at) => at === 0 || value >= values[at - 1]!);

/** Each has an infinite bucket, buckets never shrink, and the last one is the count. */
function checkHistogram(name: string, { samples }: ParsedFamily): void {
  const bySeries = Map.groupBy(samples, ({ labels }) => JSON.stringify({ ...labels, le: null }));
  for (const series of bySeries.values()) {
    const buckets = series.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number(labels['le']!.replace('Inf', 'Infinity')));
    const counts = buckets.map(({ value }) => value);
    const count = series.find((sample) => sample.name === `${name}_count`);
    const sum = series.find((sample) => sample.name === `${name}_sum`);
    const isRight =
      isGrowing(bounds) && isGrowing(counts) && bounds.at(-1) === Infinity && counts.at(-1) === count?.value;
    if (!isRight || !sum) throw new Error(`${name} is no histogram`);
  }
}
