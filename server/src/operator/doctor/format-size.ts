const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `512 MiB`, `1.5 GiB`. */
export function formatSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const amount = bytes / 1024 ** step;
  return `${amount < 10 && step > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[step]}`;
}
