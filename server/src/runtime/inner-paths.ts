/** Where an instance finds its things; a build had its source at the same place. */
export const inner = {
  app: '/home/app',
  home: '/home/user',
  tmp: '/tmp',
  settings: '/etc',
  /** Its own control group, read-only: Node, Java and others look here how much they may use. */
  limits: '/sys/fs/cgroup',
} as const;

/** What lies in the memory that an instance may write, seen from the folder it is mounted on. */
export const scratch = {
  app: 'app',
  home: 'user',
  tmp: 'tmp',
  shared: '.shm',
  upper: '.upper',
  work: '.work',
  settings: '.etc',
  limits: '.cgroup',
} as const;
