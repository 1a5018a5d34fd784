import { hash, verify } from '@node-rs/argon2';
import { Fault } from '../../lib/fault.ts';
import { createSemaphore } from '../../lib/semaphore.ts';

/** OWASP's first choice for Argon2id (the library's default algorithm): 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Costs as much to check as a real hash, and no password matches it. */
const DUMMY_HASH = `${PREFIX}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Each hash takes 19 MiB and a thread of the pool that files and DNS share. */
const turns = createSemaphore(2);
const MAX_WAITING = 200;

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalised(password), PARAMETERS));
}

/** Null stands for an account that does not exist: the same work is done, so that time does not tell. */
export function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash ?? DUMMY_HASH, normalised(password)));
}

export function needsRehash(passwordHash: string): boolean {
  return !passwordHash.startsWith(PREFIX);
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (turns.waiting >= MAX_WAITING) throw new Fault('SV002', undefined, { retryAfterSeconds: 5 });
  return turns.run(work);
}

/** The same letters typed on another system may be composed differently (NIST SP 800-63B, 3.1.1.2). */
function normalised(password: string): string {
  return password.normalize('NFKC');
}
