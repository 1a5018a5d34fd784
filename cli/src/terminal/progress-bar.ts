import { byteSize } from './byte-size.ts';

export interface Progress {
  what: string;
  done: number;
  total: number;
  elapsedMs: number;
}

const CELLS = 24;
/** Sooner, how fast it goes is a guess. */
const RATE_AFTER_MS = 500;

/** `Uploading ████████░░░░ 45 MiB of 90 MiB, 12 MiB/s` */
export function progressBar({ what, done, total, elapsedMs }: Progress, hasUnicode: boolean): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * CELLS);
  const [on, off] = hasUnicode ? ['█', '░'] : ['#', '.'];
  const rate = elapsedMs >= RATE_AFTER_MS ? `, ${byteSize((done / elapsedMs) * 1000)}/s` : '';
  return `${what} ${on.repeat(full)}${off.repeat(CELLS - full)} ${byteSize(done)} of ${byteSize(total)}${rate}`;
}
