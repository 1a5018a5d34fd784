const PREFIX = 'xn--';
const [BASE, T_MIN, T_MAX, SKEW, DAMP, FIRST_BIAS, FIRST_CODE] = [36, 1, 26, 38, 700, 72, 128];

/**
 * A name with letters beyond ASCII as people write it, with the name as it is in DNS behind it, since letters of
 * several scripts look the same: `bücher.example (xn--bcher-kva.example)`. Every other name is as it was.
 */
export function readableHostname(hostname: string): string {
  const readable = hostname
    .split('.')
    .map((label) => decodeLabel(label) ?? label)
    .join('.');
  return readable === hostname ? hostname : `${readable} (${hostname})`;
}

/** Null: it stands for nothing, or for something that no name has. */
function decodeLabel(label: string): string | null {
  if (!label.startsWith(PREFIX)) return null;
  const codes = decodePunycode(label.slice(PREFIX.length));
  const text = codes === null ? '' : String.fromCodePoint(...codes);
  return /^[\p{L}\p{M}\p{N}\p{So}-]+$/u.test(text) ? text : null;
}

/** RFC 3492, 6.2. Null: it is none. */
function decodePunycode(text: string): number[] | null {
  const end = text.lastIndexOf('-');
  const codes = Array.from(text.slice(0, Math.max(end, 0)), (letter) => letter.codePointAt(0)!);
  let [code, place, bias] = [FIRST_CODE, 0, FIRST_BIAS];
  for (let at = end + 1; at < text.length;) {
    const before = place;
    for (let [weight, step] = [1, BASE]; ; step += BASE) {
      const digit = digitOf(text[at++]);
      if (digit === null) return null;
      place += digit * weight;
      const threshold = Math.min(Math.max(step - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = codes.length + 1;
    bias = adapt(place - before, length, before === 0);
    code += Math.floor(place / length);
    if (code > 0x10_ff_ff) return null;
    place %= length;
    codes.splice(place++, 0, code);
  }
  return codes;
}

function digitOf(letter: string | undefined): number | null {
  if (letter === undefined || !/^[a-z0-9]$/.test(letter)) return null;
  return letter < 'a' ? Number(letter) + 26 : letter.codePointAt(0)! - 97;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? DAMP : 2));
  left += Math.floor(left / length);
  let bias = 0;
  for (; left > ((BASE - T_MIN) * T_MAX) / 2; bias += BASE) left = Math.floor(left / (BASE - T_MIN));
  return bias + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW));
}
