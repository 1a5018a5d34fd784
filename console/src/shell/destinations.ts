import type { IconName } from '../parts/icon.tsx';

interface Destination {
  href: string;
  label: string;
  icon: IconName;
  /** What else belongs to it: the pages one comes to from there. */
  covers?: RegExp;
}

/** Where one can go from everywhere. */
export const destinations: readonly Destination[] = [
  { href: '/', label: 'Applications', icon: 'applications', covers: /^\/(new|apps|environments|deployments)(\/|$)/ },
  { href: '/databases', label: 'Databases', icon: 'databases', covers: /^\/databases\// },
  { href: '/domains', label: 'Domains', icon: 'domains' },
  { href: '/repositories', label: 'Repositories', icon: 'repositories' },
  { href: '/activity', label: 'Activity', icon: 'activity' },
  { href: '/keys', label: 'API keys', icon: 'keys' },
  { href: '/members', label: 'Members', icon: 'members' },
  { href: '/organisation', label: 'Organisation', icon: 'organisation' },
];
