/** Columns as wide as their widest cell, two spaces apart. */
export function alignColumns(rows: readonly (readonly string[])[], indent = ''): string {
  const widths = columnWidths(rows);
  return rows
    .map((row) => indent + row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** How many of the columns fit into the width, at least one. */
export function columnsThatFit(rows: readonly (readonly string[])[], width: number): number {
  let used = -2;
  let count = 0;
  for (const columnWidth of columnWidths(rows)) {
    used += columnWidth + 2;
    if (count > 0 && used > width) break;
    count++;
  }
  return count;
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: columns }, (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
}
