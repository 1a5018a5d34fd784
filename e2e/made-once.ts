/** A call that makes something, told from every other by what it sent. */
export interface MakingCall {
  sent: string;
  /** What it was told that it has made; null when it had no answer. */
  id: string | null;
}

export type Made = MakingCall & { id: string };

/**
 * What is wrong where not every call has made one thing, the one it was told of; without an answer also none is right.
 */
export function findNotMadeOnce(calls: readonly MakingCall[], made: readonly Made[]): string[] {
  const idsBySent = Map.groupBy(made, ({ sent }) => sent);
  const idsOf = (sent: string) => (idsBySent.get(sent) ?? []).map(({ id }) => id);
  const wrong = calls.flatMap(({ sent, id }) => {
    const ids = idsOf(sent);
    const isRight = id === null ? ids.length <= 1 : ids.length === 1 && ids[0] === id;
    return isRight ? [] : [`"${sent}" was told of ${id ?? 'nothing'} and made ${ids.join(', ') || 'nothing'}`];
  });
  const sent = new Set(calls.map((call) => call.sent));
  const strange = made.filter((each) => !sent.has(each.sent)).map(({ id }) => `nobody asked for ${id}`);
  return [...wrong, ...strange];
}
