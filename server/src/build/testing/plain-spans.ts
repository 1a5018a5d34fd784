import type { Span } from '../marks.ts';
import type { SecretForm } from '../secret-forms.ts';

/** What `PatternIndex` finds, said as plainly as can be and as slow: each part of each form is laid at each place. */
export function plainSpansIn(forms: readonly SecretForm[], line: string): Span[] {
  const pieces = forms.flatMap((form) => piecesOf(form, line));
  const ofTelling = pieces.filter(({ isTelling }) => isTelling);
  const others = new Set(pieces.filter(({ isTelling }) => !isTelling));
  const marked = [...ofTelling];
  for (let isMore = true; isMore;) {
    isMore = false;
    for (const other of others) {
      if (!marked.some((piece) => other.start <= piece.end && piece.start <= other.end)) continue;
      marked.push(other);
      others.delete(other);
      isMore = true;
    }
  }
  return joined(marked.toSorted((a, b) => a.start - b.start));
}

type Piece = Span & { isTelling: boolean };

function piecesOf({ text: form, partLength }: SecretForm, line: string): Piece[] {
  const isLong = form.length > 2 * partLength;
  const length = isLong ? partLength : form.length;
  const last = form.length - length;
  const offsets = [...Array.from({ length: Math.ceil(last / length) }, (_, n) => n * length), last];
  const tells = (offset: number) => new Set(form.slice(offset, offset + length).split('')).size > 3;
  const isAnyTelling = offsets.some(tells);
  return offsets.flatMap((offset) => {
    const part = form.slice(offset, offset + length);
    const isTelling = !isLong || !isAnyTelling || tells(offset);
    const pieces: Piece[] = [];
    for (let at = line.indexOf(part); at !== -1; at = line.indexOf(part, at + 1)) {
      let [start, end] = [at, at + length];
      while (start > 0 && offset - (at - start) > 0 && line[start - 1] === form[offset - (at - start) - 1]) start--;
      while (end < line.length && line[end] === form[offset + end - at]) end++;
      pieces.push({ start, end, isTelling });
    }
    return pieces;
  });
}

function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { start, end } of spans) {
    const last = all.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}
