/** What is measured has one to itself. */
export const SERVER_CORE = '1';
/** Where the load comes from, and whatever else there must be. */
export const LOAD_CORE = '0';
