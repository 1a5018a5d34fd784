/** How far somebody is who follows a deployment. */
export interface Place {
  /** The number of the next line. */
  line: number;
  /** The status and the stage that were told last; null before the first. */
  state: string | null;
}

export function placeId({ line, state }: Place): string {
  return state === null ? String(line) : `${line}-${state}`;
}

export interface Start {
  /** The line to begin with; negative: so many from the end. */
  from: number;
  lastEventId: string | null;
  /** How many lines there are. */
  lineCount: number;
}

/** Anybody may send anything: what names no place that was here is as good as nothing. */
export function placeOf({ from, lastEventId, lineCount }: Start): Place {
  const first = from < 0 ? Math.max(lineCount + from, 0) : from;
  const [, line, state = null] = /^(\d{1,10})(?:-([a-z]+-[a-z]+))?$/.exec(lastEventId ?? '') ?? [];
  const isPlace = line !== undefined && Number(line) <= Math.max(lineCount, first);
  return isPlace ? { line: Number(line), state } : { line: first, state: null };
}
