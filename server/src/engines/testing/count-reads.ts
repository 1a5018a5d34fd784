interface Lexer {
  advance(bytes: Buffer, from: number, isLast: boolean): { at: number };
}

/** How many bytes a lexer looks at, one by one, in a text that comes in pieces. */
export function countReads(lexer: Lexer, text: string, pieceBytes: number): number {
  const whole = Buffer.from(text);
  let reads = 0;
  const counting = (bytes: Buffer): Buffer =>
    new Proxy(bytes, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  let at = 0;
  for (let end = pieceBytes; end < whole.length + pieceBytes; end += pieceBytes) {
    ({ at } = lexer.advance(counting(whole.subarray(0, end)), at, end >= whole.length));
  }
  return reads;
}
