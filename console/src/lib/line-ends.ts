const LINE_END = /\r\n|\r|\n/g;

/** Browsers make every line end of a text area a `\n`; a value that had others keeps them where it was not changed. */
export function withLineEndsOf(before: string, typed: string): string {
  const ends = before.match(LINE_END);
  if (!ends || !before.includes('\r')) return typed;
  const [linesBefore, lines] = [before.split(LINE_END), typed.split(LINE_END)];
  const changed = lines.findIndex((line, index) => line !== linesBefore[index]);
  const shift = linesBefore.length - lines.length;
  // Behind the change they are counted from the end; a new line ends as the first does.
  const endOf = (index: number) => ends[changed === -1 || index < changed ? index : index + shift] ?? ends[0];
  return lines.map((line, index) => (index < lines.length - 1 ? `${line}${endOf(index)}` : line)).join('');
}
