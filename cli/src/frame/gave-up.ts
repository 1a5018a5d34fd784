/** It stopped before anything was changed, for a reason that the message tells; nothing was misunderstood. */
export class GaveUp extends Error {}
