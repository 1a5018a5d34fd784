/**
 * Where a build finds its things. Always the same, so that what tools keep with absolute paths stays good; and
 * the project lies where its instances find it too, for virtual environments and their like hold its path.
 */
export const inner = {
  home: '/home/build',
  source: '/home/app',
  /** What package managers download. */
  store: '/home/store',
  tools: '/home/tools',
  /** Where the built tree is packed. */
  pack: '/home/pack',
} as const;
