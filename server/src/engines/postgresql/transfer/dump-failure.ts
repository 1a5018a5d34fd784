/** npm's program says first that it failed, and that it does not find itself, and where it looked. */
const ABOUT_ITSELF =
  /^pg_dump failed with exit code|invalid binary|could not (?:find a .* to execute|read binary|resolve path)/;
/** Where things are on this machine is nobody's business. */
const PATH = /(?<=^|[\s"'(=])(?:file:\/\/)?\/[\w.@~-][^\s"'(),;]*/gm;
const MOST_CHARACTERS = 1000;

/** What a customer is told of what `pg_dump` said when it failed. */
export function failureOfDump(words: string): string {
  const lines = words.split('\n').filter((line) => !ABOUT_ITSELF.test(line));
  const told = lines.join('\n').replaceAll(PATH, '…').trim().slice(-MOST_CHARACTERS);
  return `pg_dump failed: ${told.replace(/^[^]*?error: /, '') || 'it said nothing'}`;
}
