import { join } from 'node:path';

/** Where a tree has what serves an application that only exports itself, relative to the project's root. */
export const SHIM = '.lilac/serve.mjs';

export const SHIM_SOURCE = join(import.meta.dirname, 'serve-export.mjs');
