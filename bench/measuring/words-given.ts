/** The arguments of a program that are no options. */
export function wordsGiven(): string[] {
  return process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
}
