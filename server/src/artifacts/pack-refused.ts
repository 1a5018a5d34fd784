/** The output cannot be served as it is; the message tells a person what to change. */
export class PackRefused extends Error {}
