import type { OutputOf } from '../../../lib/api-types.ts';
import { hasCode } from '../../../lib/has-code.ts';

export type Dump = OutputOf<'databases.dump'>;

/** One that takes very long is waited for in several calls: each answers with the same one. */
const MOST_CALLS = 60;

export async function askForDump(ask: () => Promise<Dump>): Promise<Dump> {
  for (let call = 1; ; call++) {
    try {
      return await ask();
    } catch (error) {
      if (call >= MOST_CALLS || !hasCode(error, 'SV002')) throw error;
    }
  }
}
