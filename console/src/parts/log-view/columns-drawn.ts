const MAX_KEPT = 5000;
const kept = new Map<string, number>();
let pen: CanvasRenderingContext2D | null = null;

/**
 * How many columns a text takes as the fonts draw it: only some have all letters, and in others these are as wide as
 * they like.
 */
export function columnsDrawn(text: string): number {
  const before = kept.get(text);
  if (before !== undefined) return before;
  pen ??= takePen();
  const columns = pen.measureText(text).width / pen.measureText('0').width;
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(text, columns);
  return columns;
}

function takePen(): CanvasRenderingContext2D {
  const taken = document.createElement('canvas').getContext('2d')!;
  taken.font = `13px ${getComputedStyle(document.documentElement).getPropertyValue('--mono')}`;
  return taken;
}
