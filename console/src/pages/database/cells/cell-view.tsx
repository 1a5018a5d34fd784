import { type Cell, lookOf } from './cell-text.ts';

interface CellViewProps {
  value: Cell;
  type: string;
  isWhole: boolean;
}

/** NULL, an empty text and bytes look like nothing else. */
export function CellView({ value, type, isWhole }: CellViewProps) {
  const { kind, text, isCut } = lookOf(value, type, isWhole);
  return (
    <span className={`cell cell-${kind}`}>
      {isCut && <span className="cell-cut">cut</span>}
      {text}
    </span>
  );
}
