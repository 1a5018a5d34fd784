export function load() {
  return { now: new Date().toISOString() };
}
