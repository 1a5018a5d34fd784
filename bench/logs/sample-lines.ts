/**
 * What applications write: JSON, levels in text, logfmt, access lines, a trace now and then. One in a hundred is an
 * error.
 */
const WORDS = ['payment', 'basket', 'invoice', 'session', 'cache', 'search', 'upload', 'mail', 'stock', 'login'];

/** As texts, so that reading a severity and making them safe is part of what is measured. */
export function sampleLine(number: number): string {
  const word = WORDS[number % 7 === 0 ? Math.floor(number / 7) % WORDS.length : number % 3]!;
  const id = ((number * 2654435761) % 4294967296).toString(36);
  if (number % 100 === 0) return `2026-11-15 12:00:00,123 ERROR [worker-${number % 8}] ${word} ${id} failed: timed out`;
  switch (number % 5) {
    case 0:
      return `{"level":30,"pid":12,"hostname":"web-1","reqId":"${id}","msg":"${word} completed","responseTime":${number % 97}}`;
    case 1:
      return `2026-11-15 12:00:00,123 INFO  [worker-${number % 8}] com.example.Orders - ${word} ${id} stored in ${number % 113} ms`;
    case 2:
      return `::1 - - "GET /${word}/${id}?page=${number % 20} HTTP/1.1" 200 ${number % 9999} "-" "Mozilla/5.0 (X11; Linux)"`;
    case 3:
      return `time=2026-11-15T12:00:00Z level=debug msg="${word} ${id} missed" shard=${number % 16} took=${number % 31}ms`;
    default:
      return `Worked on ${word} ${id} with ${number % 12} workers and a queue of ${number % 1000}`;
  }
}
