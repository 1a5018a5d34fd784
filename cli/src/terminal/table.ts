/** Columns as wide as their widest cell, two spaces apart; a line for each row. */
export function alignRows(rows: readonly (readonly string[])[]): string[] {
  const widths = columnWidths(rows);
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export function alignColumns(rows: readonly (readonly string[])[], indent = ''): string {
  return alignRows(rows)
    .map((line) => indent + line)
    .join('\n');
}

export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: columns }, (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
}
