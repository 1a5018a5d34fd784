/** Tables that are listed at once. Nobody looks at more than that, and nobody is to wait for it. */
export const MOST_TABLES = 2000;
