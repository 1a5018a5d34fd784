/** "512 MiB": `512Mi`, as programs write it. */
export const sayMemory = (memory: string): string => memory.replace(/^([\d.]+)([KMG]i)$/, '$1 $2B');
