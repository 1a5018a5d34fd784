import { strangeAnswer } from './read-answer.ts';

/** A host has answered, and said no. Its own words are for the log: people are told what to do by whoever asked. */
export class HostRefusal extends Error {
  readonly status: number;

  constructor(status: number, words: string) {
    super(`${status}: ${words}`);
    this.status = status;
  }
}

const LONGEST_WORDS = 500;

/** A page for people is a proxy's or a firewall's: it says nothing of what the host itself would have said. */
export async function refusalOf(response: Response, hostName: string): Promise<Error> {
  const words = await response.text();
  if (/^\s*</.test(words)) return strangeAnswer(hostName);
  return new HostRefusal(response.status, words.slice(0, LONGEST_WORDS));
}

/**
 * Hosts do not tell "not there" from "not yours", nor we a token that is no longer good from one that never was. 451 is
 * what the law has taken away.
 */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof HostRefusal && [401, 403, 404, 410, 451].includes(error.status);
}

/** The host itself says that there is no such thing; of who only may not see it nobody can say so. */
export function isGone(error: unknown): boolean {
  return error instanceof HostRefusal && [404, 410].includes(error.status);
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
