/** The command was not understood; the message says what would be. */
export class UsageError extends Error {}
