import type { ContentCoding } from '../../artifacts/static-manifest.ts';

export type Coding = ContentCoding | 'identity';

/** Browsers send few different headers, so the answer is remembered; strangers' cannot fill the memory. */
const MAX_REMEMBERED = 200;
const remembered = new Map<string, readonly Coding[]>();

/** Of what there is, ours before the plain form where the client has no preference. */
const OFFERED: readonly Coding[] = ['br', 'gzip', 'identity'];

/** The codings that the client takes, best first (RFC 9110, 12.5.3). */
export function acceptedCodings(acceptEncoding: string): readonly Coding[] {
  const known = remembered.get(acceptEncoding);
  if (known) return known;
  const accepted = rank(acceptEncoding);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  if (acceptEncoding.length < 200) remembered.set(acceptEncoding, accepted);
  return accepted;
}

function rank(acceptEncoding: string): readonly Coding[] {
  const weights = readWeights(acceptEncoding);
  const any = weights.get('*');
  const weightOf = (coding: Coding): number => {
    const own = weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined);
    // The plain form is always fine unless it is refused, but asked for last.
    if (coding === 'identity') return own ?? (any === 0 ? 0 : 0.0001);
    return own ?? any ?? 0;
  };
  return OFFERED.map((coding) => ({ coding, weight: weightOf(coding) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ coding }) => coding);
}

function readWeights(acceptEncoding: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    if (name === '') continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    weights.set(name, Number.isFinite(weight) ? Math.min(1, Math.max(0, weight)) : 0);
  }
  return weights;
}
