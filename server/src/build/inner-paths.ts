/** Where a build finds its things. Always the same, so that what tools keep with absolute paths stays good. */
export const inner = {
  home: '/home/build',
  source: '/home/build/source',
  /** What package managers download. */
  store: '/home/store',
  tools: '/home/tools',
} as const;
