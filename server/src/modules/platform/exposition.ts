import type { Labels, VitalFamily, VitalSample } from '../../lib/vitals.ts';

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Families as Prometheus reads them (text format 0.0.4): those of one name together, whoever counted them. */
export function writeExposition(families: readonly VitalFamily[]): string {
  const byName = Map.groupBy(families, ({ name }) => name);
  return [...byName.values()].flatMap(writeFamily).join('');
}

function writeFamily(parts: readonly VitalFamily[]): string[] {
  const { name, kind, help } = parts[0]!;
  // Processes of two versions, during an upgrade, may not agree what it is.
  const samples = parts.filter((part) => part.kind === kind).flatMap((part) => part.samples);
  if (samples.length === 0) return [];
  const lines = samples.flatMap((sample) => (sample.buckets ? histogramLines(name, sample) : [lineOf(name, sample)]));
  return [`# HELP ${name} ${escapeHelp(help)}\n`, `# TYPE ${name} ${kind}\n`, ...lines];
}

function histogramLines(name: string, { labels, value, buckets }: VitalSample): string[] {
  const { bounds, counts } = buckets!;
  let total = 0;
  const lines = counts.map((count, at) => {
    total += count;
    const le = at < bounds.length ? numberText(bounds[at]!) : '+Inf';
    return lineOf(`${name}_bucket`, { labels: { ...labels, le }, value: total });
  });
  return [...lines, lineOf(`${name}_sum`, { labels, value }), lineOf(`${name}_count`, { labels, value: total })];
}

function lineOf(name: string, { labels, value }: { labels: Labels; value: number }): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${numberText(value)}\n`;
}

function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

function escapeLabel(text: string): string {
  return text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`);
}
