import type { Engine, EngineAvailability } from '../../engines/engine.ts';
import { conflict } from '../../lib/fault.ts';

interface Known {
  untilMs: number;
  answer: Promise<EngineAvailability>;
}

const known = new WeakMap<Engine, Known>();
/** Programs come and go seldom, and looking for them starts some. */
const REMEMBERED_MS = 30_000;

/** What the engine says, remembered for a while. */
export function availabilityOf(engine: Engine): Promise<EngineAvailability> {
  const before = known.get(engine);
  if (before && before.untilMs > performance.now()) return before.answer;
  const answer = engine.availability();
  known.set(engine, { answer, untilMs: performance.now() + REMEMBERED_MS });
  // What could not be found out is asked again.
  answer.catch(() => known.delete(engine));
  return answer;
}

/** The series that a new database of this kind has here. */
export async function requireVersion(engine: Engine): Promise<string> {
  const { version, missing } = await availabilityOf(engine);
  if (version === null) throw conflict(`This platform cannot make ${engine.label} databases: ${missing}`);
  return version;
}
