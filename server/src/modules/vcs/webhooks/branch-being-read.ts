/** A build is just reading the branch: whether it finds the pushed commit is known when it has. */
export class BranchBeingRead extends Error {}
