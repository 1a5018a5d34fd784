/** What npm's package says before the words of its program. */
const PREAMBLE = /^pg_dump failed with exit code \d+\.\s*(?:Error message:)?/;
/** That program first says that it does not find itself, and where; no line of it ends. */
const NOT_FOUND = /invalid binary "[^"]*"(?:: No such file or directory)?/g;
/** It takes the thread that it runs in for its own name. */
const OWN_NAME = /(?:\/[^\s"]*)?wasm-dump-thread\.ts(?=: )/g;
/** Where things are on this machine is nobody's business. */
const PATH = /(?<=^|[\s"'(=])(?:file:\/\/)?\/[\w.@~-][^\s"'(),;]*/gm;
const MOST_CHARACTERS = 1000;

/** What a customer is told of what `pg_dump` said when it failed. */
export function failureOfDump(words: string): string {
  const told = words
    .replace(PREAMBLE, '')
    .replaceAll(NOT_FOUND, '')
    .replaceAll(OWN_NAME, '\npg_dump')
    .replaceAll(PATH, '…')
    .trim()
    .replace(/^pg_dump: (?:error: )?/, '');
  return `pg_dump failed: ${shortened(told) || 'it said nothing'}`;
}

/** What went wrong stands at the beginning, and a statement that names thousands of tables after it. */
const shortened = (words: string): string =>
  words.length <= MOST_CHARACTERS
    ? words
    : `${words.slice(0, MOST_CHARACTERS / 2)} … ${words.slice(-MOST_CHARACTERS / 2)}`;
