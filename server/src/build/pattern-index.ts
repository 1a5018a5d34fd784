import type { SecretForm } from './secret-forms.ts';

/** Of a text, from the first character up to, not including, the second. */
export interface Span {
  start: number;
  end: number;
}

/** Where a pattern comes from. */
interface Origin {
  form: string;
  offset: number;
}

/** No pattern is shorter. */
const HEAD = 4;

/**
 * Finds texts in lines, however many and however long they are: a regular expression of them has a
 * limit, and says them all when it is met. A long text is known by its parts, so that it is found where
 * a line holds a piece of it only; from a part that was found, it is followed to both sides.
 */
export class PatternIndex {
  /** By pattern: of each form that has it, the first place. */
  readonly #origins = new Map<string, Origin[]>();
  /** The lengths of the patterns that begin alike, the longest first. */
  readonly #lengths = new Map<number, number[]>();
  #longest = 0;

  constructor(forms: Iterable<SecretForm>) {
    for (const form of forms) {
      for (const offset of offsetsOf(form)) this.#add(form, offset);
    }
  }

  get isEmpty(): boolean {
    return this.#origins.size === 0;
  }

  /** The length of the longest pattern: a shorter piece of a text may go unnoticed. */
  get longest(): number {
    return this.#longest;
  }

  /** Where the texts stand, in order; those that touch are one. */
  spansIn(text: string): Span[] {
    const spans: Span[] = [];
    let free = 0;
    for (let at = 0; at + HEAD <= text.length; at++) {
      const length = this.#matchAt(text, at);
      if (length === 0) continue;
      const last = spans.at(-1);
      const match = { at, end: at + length, origins: this.#origins.get(text.slice(at, at + length)) ?? [] };
      if (last && at < last.end) {
        this.#widen(text, last, { ...match, free });
        continue;
      }
      const start = startOf(text, match, last?.end ?? 0);
      if (last && start <= last.end) last.end = endOf(text, match);
      else {
        free = last?.end ?? 0;
        spans.push({ start, end: endOf(text, match) });
      }
    }
    return spans;
  }

  /**
   * What was found first may be a part of another form, which ends sooner to either side than this one. Only near
   * the ends of what is known already: the work stays in proportion to the line, whatever is in it.
   */
  #widen(text: string, span: Span, match: Match & { free: number }): void {
    if (match.at - span.start <= this.#longest) span.start = Math.min(span.start, startOf(text, match, match.free));
    if (span.end - match.end <= this.#longest) span.end = Math.max(span.end, endOf(text, match));
  }

  #add({ text: form, partLength }: SecretForm, offset: number): void {
    const pattern = isLong(form, partLength) ? form.slice(offset, offset + partLength) : form;
    const origins = this.#origins.get(pattern);
    if (origins) {
      if (origins.at(-1)?.form !== form) origins.push({ form, offset });
      return;
    }
    this.#origins.set(pattern, [{ form, offset }]);
    this.#longest = Math.max(this.#longest, pattern.length);
    const head = headAt(pattern, 0);
    const lengths = this.#lengths.get(head);
    if (!lengths) this.#lengths.set(head, [pattern.length]);
    else if (!lengths.includes(pattern.length)) lengths.push(pattern.length);
    lengths?.sort((a, b) => b - a);
  }

  #matchAt(text: string, at: number): number {
    const lengths = this.#lengths.get(headAt(text, at)) ?? [];
    return lengths.find((length) => at + length <= text.length && this.#origins.has(text.slice(at, at + length))) ?? 0;
  }
}

function isLong(form: string, partLength: number): boolean {
  return form.length > 2 * partLength;
}

/** Where the parts of a form begin that are patterns: one beside the other, and the last characters. */
function offsetsOf({ text, partLength }: SecretForm): number[] {
  if (!isLong(text, partLength)) return [0];
  const last = text.length - partLength;
  const all = Array.from({ length: Math.ceil(last / partLength) }, (_, n) => n * partLength).concat(last);
  // A row of dashes or spaces gives nothing away, and is anybody's.
  const telling = all.filter((offset) => isTelling(text, { start: offset, end: offset + partLength }));
  return telling.length > 0 ? telling : all;
}

function isTelling(text: string, { start, end }: Span): boolean {
  let seen = '';
  for (let at = start; at < end && seen.length <= 3; at++) if (!seen.includes(text[at]!)) seen += text[at]!;
  return seen.length > 3;
}

/** Two heads may have the same number; the patterns themselves decide. */
function headAt(text: string, at: number): number {
  let head = 0;
  for (let next = at; next < at + HEAD; next++) head = (Math.imul(head, 8191) + text.charCodeAt(next)) | 0;
  return head;
}

interface Match {
  at: number;
  end: number;
  origins: readonly Origin[];
}

/** How far any of the forms goes on to the left, down to where something else is known. */
function startOf(text: string, { at, origins }: Match, from: number): number {
  return Math.min(
    ...origins.map(({ form, offset }) => {
      let start = at;
      while (start > from && offset - (at - start) > 0 && text[start - 1] === form[offset - (at - start) - 1]) start--;
      return start;
    }),
  );
}

function endOf(text: string, { at, end: known, origins }: Match): number {
  return Math.max(
    ...origins.map(({ form, offset }) => {
      let end = known;
      while (end < text.length && text[end] === form[offset + end - at]) end++;
      return end;
    }),
  );
}
