import { Fault } from '../../lib/fault.ts';
import type { VcsHost } from '../vcs-host.ts';
import { HostRefusal } from './host-refusal.ts';

const LONGEST_WORDS = 200;

/**
 * The edge of a host: what it refuses for a reason that nobody here foresaw is for people to read, and no bug of ours.
 */
export function tellRefusals<H extends VcsHost>(hostName: string, host: H): H {
  const told = Object.entries(host as Record<string, unknown>).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member];
    const ask = (...given: unknown[]): unknown => {
      const answer: unknown = Reflect.apply(member, host, given);
      return answer instanceof Promise ? tellRefusal(hostName, answer) : answer;
    };
    return [name, ask];
  });
  return Object.fromEntries(told) as H;
}

export async function tellRefusal<T>(hostName: string, asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof HostRefusal)) throw error;
    const message =
      `${hostName} refused the request (${error.message.slice(0, LONGEST_WORDS)}). ` +
      'Look there for what it requires, or try again later.';
    throw new Fault('VA003', message, { cause: error });
  }
}
