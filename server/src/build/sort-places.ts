/** So many are sorted without a pause. */
const RUN = 512;

/** Sorts some of the places where they stand, with pauses. */
export function* sortPlaces(
  places: Int32Array,
  { from, to }: { from: number; to: number },
  compare: (a: number, b: number) => number,
): Generator<void, void> {
  for (let start = from; start < to; start += RUN) {
    places.subarray(start, Math.min(start + RUN, to)).sort(compare);
    if (to - from > RUN) yield;
  }
  if (to - from <= RUN) return;
  let [source, target] = [places.slice(from, to), new Int32Array(to - from)];
  for (let width = RUN; width < source.length; width *= 2) {
    for (let start = 0; start < source.length; start += 2 * width)
      yield* merge(source, target, { start, width, compare });
    [source, target] = [target, source];
  }
  places.set(source, from);
}

interface Merge {
  start: number;
  width: number;
  compare: (a: number, b: number) => number;
}

function* merge(source: Int32Array, target: Int32Array, { start, width, compare }: Merge): Generator<void, void> {
  const middle = Math.min(start + width, source.length);
  const end = Math.min(start + 2 * width, source.length);
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    const isLeft = right >= end || (left < middle && compare(source[left]!, source[right]!) <= 0);
    target[at] = isLeft ? source[left++]! : source[right++]!;
    if (at % RUN === 0) yield;
  }
}
