/** "<0.1 s", "0.4 s", "12 s", "2 min 5 s", "1 h 3 min", "2 d 5 h". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds > 0 && seconds < 0.1) return '<0.1 s';
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return withRest(`${minutes} min`, whole % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return withRest(`${hours} h`, minutes % 60, 'min');
  return withRest(`${Math.floor(hours / 24)} d`, hours % 24, 'h');
}

/** From one moment to another, or until now. */
export function durationBetween(from: string, to: string | number): number {
  return (typeof to === 'number' ? to : Date.parse(to)) - Date.parse(from);
}

function withRest(text: string, rest: number, unit: string): string {
  return rest === 0 ? text : `${text} ${rest} ${unit}`;
}
