import { readNumber } from './read-values.ts';
import type { Setting } from './setting.ts';
import type { ReadSetting, SettingName } from './settings.ts';

export const logCapSettings = [
  {
    name: 'LILAC_LOG_LINES_PER_SECOND',
    default: '5000',
    summary:
      'How many lines a second of one environment are kept in its log. Ten times as many may come at once; ' +
      'what is above is dropped, and counted in the log.',
  },
  {
    name: 'LILAC_LOG_BYTES_PER_DAY',
    default: '1073741824',
    summary: 'How many bytes of text one environment may write into its log in a day; what is above is dropped.',
  },
] as const satisfies readonly Setting[];

/** What one environment may write into its log. */
export interface LogCapSettings {
  linesPerSecond: number;
  bytesPerDay: number;
}

export function readLogCaps(read: ReadSetting): LogCapSettings {
  const number = (name: SettingName, fallback: number, limits: { min: number; max: number }) =>
    readNumber(name, read(name) ?? String(fallback), limits);
  return {
    linesPerSecond: number('LILAC_LOG_LINES_PER_SECOND', 5000, { min: 1, max: 1_000_000 }),
    bytesPerDay: number('LILAC_LOG_BYTES_PER_DAY', 2 ** 30, { min: 1024, max: 2 ** 40 }),
  };
}
