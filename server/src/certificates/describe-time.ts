/** `on 2026-11-16 at 14:05 UTC`. */
export function describeTime(time: Date): string {
  const [day, clock] = time.toISOString().split('T');
  return `on ${day} at ${clock!.slice(0, 5)} UTC`;
}
