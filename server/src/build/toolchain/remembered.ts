/** Asks again only after a while: what is asked of other programs takes long and rarely changes. */
export function remembered<K, T>(forMs: number, ask: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const known = new Map<K, { askedAt: number; answer: Promise<T> }>();
  return (key) => {
    const last = known.get(key);
    if (last && Date.now() - last.askedAt < forMs) return last.answer;
    const answer = ask(key);
    known.set(key, { askedAt: Date.now(), answer });
    answer.catch(() => known.delete(key));
    return answer;
  };
}
