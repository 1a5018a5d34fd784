/** What a database may ask for. How much a machine can give is another matter, and less. */
export const MAX_STORAGE_GB = 65_536;
