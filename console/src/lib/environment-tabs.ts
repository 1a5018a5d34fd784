/**
 * The parts of an environment's page, by the end of their address: the page has them as tabs, the search finds them.
 */
export const environmentTabs = [
  { path: '', label: 'Overview' },
  { path: '/logs', label: 'Logs' },
  { path: '/metrics', label: 'Metrics' },
  { path: '/variables', label: 'Variables' },
  { path: '/domain', label: 'Domain' },
  { path: '/activity', label: 'Activity' },
  { path: '/settings', label: 'Settings' },
] as const;

export type EnvironmentTabPath = (typeof environmentTabs)[number]['path'];
