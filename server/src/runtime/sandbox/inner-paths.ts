/** Where an instance finds its things; a build had its source at the same place. */
export const inner = {
  app: '/home/app',
  home: '/home/user',
  tmp: '/tmp',
} as const;

/** What lies in the memory that an instance may write, seen from the folder it is mounted on. */
export const scratch = {
  app: 'app',
  home: 'user',
  tmp: 'tmp',
  upper: '.upper',
  work: '.work',
} as const;
