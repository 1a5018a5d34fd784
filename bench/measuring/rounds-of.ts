/** As many rounds as usual, or fewer for a quick look: `--rounds=3`. */
export function roundsOf(usual: number): number {
  const given = process.argv.find((argument) => argument.startsWith('--rounds='))?.slice('--rounds='.length);
  if (given === undefined) return usual;
  const rounds = Number(given);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('Say how many rounds, for example --rounds=3.');
  return Math.min(rounds, usual);
}
