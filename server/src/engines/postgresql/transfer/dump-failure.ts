/** What npm's package says before the words of its program. */
const PREAMBLE = /^pg_dump failed with exit code \d+\.\s*(?:Error message:)?/;
/** That program first says that it does not find itself, and where; no line of it ends. */
const NOT_FOUND = /invalid binary "[^"]*"(?:: No such file or directory)?/g;
/** It takes the thread that it runs in for its own name. */
const OWN_NAME = /(?:\/[^\s"]*)?wasm-dump-thread\.ts(?=: )/g;
/** Where things are on this machine is nobody's business. */
const PATH = /(?<=^|[\s"'(=])(?:file:\/\/)?\/[\w.@~-][^\s"'(),;]*/gm;
const MOST_CHARACTERS = 1000;
/** It names what a database holds: names of slashes alone would be looked through again and again. */
const MOST_READ = 16_384;

/** What a customer is told of what `pg_dump` said when it failed. */
export function failureOfDump(words: string): string {
  const told = shortened(words, MOST_READ)
    .replace(PREAMBLE, '')
    .replaceAll(NOT_FOUND, '')
    .replaceAll(OWN_NAME, '\npg_dump')
    .replaceAll(PATH, '…')
    .trim()
    .replace(/^pg_dump: (?:error: )?/, '');
  return `pg_dump failed: ${shortened(told, MOST_CHARACTERS) || 'it said nothing'}`;
}

/** What went wrong stands at the beginning, and a statement that names thousands of tables after it. */
const shortened = (words: string, most: number): string =>
  words.length <= most ? words : `${words.slice(0, most / 2)} … ${words.slice(-most / 2)}`;
