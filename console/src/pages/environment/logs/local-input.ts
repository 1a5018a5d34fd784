/** A field for a moment knows the reader's own time and no zones; the address keeps the instant. */
export function toLocalInput(instant: string): string {
  const date = new Date(instant);
  if (instant === '' || Number.isNaN(date.getTime())) return '';
  const [year, ...rest] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const clock = [date.getHours(), date.getMinutes()].map(twoDigits).join(':');
  return `${[String(year).padStart(4, '0'), ...rest.map(twoDigits)].join('-')}T${clock}`;
}

export function fromLocalInput(local: string): string {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
