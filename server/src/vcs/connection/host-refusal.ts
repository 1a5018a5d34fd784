/** A host has answered, and said no. Its own words are for the log: people are told what to do by whoever asked. */
export class HostRefusal extends Error {
  readonly status: number;

  constructor(status: number, words: string) {
    super(`${status}: ${words}`);
    this.status = status;
  }
}

const LONGEST_WORDS = 500;

export async function refusalOf(response: Response): Promise<HostRefusal> {
  const words = await response.text();
  return new HostRefusal(response.status, words.slice(0, LONGEST_WORDS));
}

/** Hosts do not tell "not there" from "not yours", nor we a token that is no longer good from one that never was. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof HostRefusal && [401, 403, 404, 410].includes(error.status);
}

/** What was asked for, or null where the access does not reach it. */
export async function ifReached<T>(asking: Promise<T>): Promise<T | null> {
  try {
    return await asking;
  } catch (error) {
    if (isOutOfReach(error)) return null;
    throw error;
  }
}
