export interface Command<Wanted> {
  /** How it is called, as a sentence. */
  usage: string;
  /** Throws a sentence where the arguments cannot be understood. */
  readArguments: () => Wanted;
  /** Whether all was as it should be. */
  run: (wanted: Wanted) => Promise<boolean>;
}

/** Runs the program of an npm script, and ends this process as its outcome says. */
export async function runCommand<Wanted>(command: Command<Wanted>): Promise<never> {
  const isFine = await outcomeOf(command);
  // What still waits for an answer of a platform that is gone is not waited for.
  process.exit(isFine ? 0 : 1);
}

async function outcomeOf<Wanted>({ usage, readArguments, run }: Command<Wanted>): Promise<boolean> {
  let wanted: Wanted;
  try {
    wanted = readArguments();
  } catch (error) {
    console.error(`lilac: ${(error as Error).message} ${usage}`);
    return false;
  }
  return await run(wanted);
}
