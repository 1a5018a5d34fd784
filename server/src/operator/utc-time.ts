/** `2026-11-16 14:05Z`. */
export const toMinute = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`;

/** `2026-11-16 14:05:30Z`. */
export const toSecond = (time: Date): string => `${time.toISOString().slice(0, 19).replace('T', ' ')}Z`;
