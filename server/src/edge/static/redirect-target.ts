import { segmentsOf, type Span } from '../../artifacts/path-pattern.ts';
import { MAX_TARGET_LENGTH } from '../../artifacts/rule-limits.ts';
import type { RedirectRule } from '../../artifacts/static-manifest.ts';

/** What a rule leads to, read once: pieces as they are written, and parts of the path asked for. */
export interface RedirectTarget {
  pieces: readonly (string | Named)[];
  /** Without what is filled in. */
  length: number;
  /** The target has nothing to fill in: it is always the same. */
  isFixed: boolean;
  isPath: boolean;
  hasQuery: boolean;
}

interface Named {
  span: Span;
  isSplat: boolean;
}

/** Null when it cannot be used: serving another host's pages under this address is not ours to do. */
export function readTarget({ to, status }: RedirectRule, names: ReadonlyMap<string, Span>): RedirectTarget | null {
  const isPath = to.startsWith('/') && !to.startsWith('//');
  const isUsable = isPath || (/^https?:\/\/[^/]/i.test(to) && status >= 300 && status < 400);
  if (!isUsable || to.length > MAX_TARGET_LENGTH) return null;
  const pieces = [...readPieces(to, names)];
  const isFixed = pieces.every((piece) => typeof piece === 'string');
  return { pieces, length: to.length, isFixed, isPath, hasQuery: to.includes('?') };
}

function* readPieces(to: string, names: ReadonlyMap<string, Span>): Generator<string | Named> {
  let from = 0;
  for (const { 0: whole, 1: name, index } of to.matchAll(/:([A-Za-z_]\w*)/g)) {
    const span = names.get(name!);
    if (!span) continue;
    if (index > from) yield to.slice(from, index);
    yield { span, isSplat: name === 'splat' };
    from = index + whole.length;
  }
  if (from < to.length) yield to.slice(from);
}

/** Null when that becomes too long. */
export function fillTarget({ pieces, length }: RedirectTarget, path: string): string | null {
  const segments = segmentsOf(path);
  const texts = new Map<Span, string>();
  let room = MAX_TARGET_LENGTH - length;
  let filled = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      filled += piece;
      continue;
    }
    const text = texts.get(piece.span) ?? segments.slice(...piece.span).join('/');
    texts.set(piece.span, text);
    room -= text.length;
    if (room < 0) return null;
    filled += piece.isSplat && text !== '' && path.endsWith('/') ? `${text}/` : text;
  }
  return filled;
}
