const sizes = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** "1.5 GB": each is 1,024 of the one before, as the memory and the storage of a database are given. */
export function formatSize(bytes: number): string {
  let rest = Math.abs(bytes);
  let size = 0;
  // What would be rounded to 1,024 of one size is 1 of the next.
  while (rest >= 1023.95 && size < sizes.length - 1) {
    rest /= 1024;
    size++;
  }
  const digits = size === 0 || rest >= 99.95 ? 0 : 1;
  return `${bytes < 0 ? '-' : ''}${rest.toFixed(digits).replace(/\.0$/, '')} ${sizes[size]}`;
}
