const DAY_MS = 24 * 3600 * 1000;

export const expiryChoices = [
  { value: 'never', label: 'never', days: null },
  { value: 'month', label: 'in 30 days', days: 30 },
  { value: 'quarter', label: 'in 90 days', days: 90 },
  { value: 'year', label: 'in a year', days: 365 },
] as const;

/** The moment a chosen expiry means; undefined for no expiry. */
export function expiryOf(choice: string, nowMs: number): string | undefined {
  const days = expiryChoices.find(({ value }) => value === choice)?.days;
  return days ? new Date(nowMs + days * DAY_MS).toISOString() : undefined;
}
