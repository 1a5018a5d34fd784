import { type Cell, lookOf } from './cell-text.ts';

/** NULL, an empty text and bytes look like nothing else. */
export function CellView({ value, type }: { value: Cell; type: string }) {
  const { kind, text, isCut } = lookOf(value, type);
  return (
    <span className={`cell cell-${kind}`}>
      {text}
      {isCut && <span className="cell-cut"> cut</span>}
    </span>
  );
}
