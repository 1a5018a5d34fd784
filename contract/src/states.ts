export const applicationStatuses = [
  'pending',
  'building',
  'deploying',
  'healthy',
  'degraded',
  'failed',
  'deleting',
] as const;
export type ApplicationStatus = (typeof applicationStatuses)[number];

export const environmentStatuses = ['pending', 'deploying', 'healthy', 'degraded', 'failed', 'deleting'] as const;
export type EnvironmentStatus = (typeof environmentStatuses)[number];

export const deploymentTypes = ['static', 'container'] as const;
export type DeploymentType = (typeof deploymentTypes)[number];

export const sourceTypes = ['vcs', 'upload'] as const;
export type SourceType = (typeof sourceTypes)[number];
