/** What people do to applications and environments. An entry names the deed, never a value. */
export const actions = [
  'application_created',
  'application_renamed',
  'application_moved',
  'application_deleted',
  'environment_created',
  'environment_renamed',
  'environment_updated',
  'environment_vars_updated',
  'environment_deleted',
  'scaling_updated',
  'custom_domain_updated',
  'password_set',
  'password_removed',
  'deployment_started',
  'deployment_cancelled',
  'deployment_rolled_back',
] as const;
export type Action = (typeof actions)[number];

/** What the platform does by itself, and what its operator does at the command line, is nobody's account. */
export type HouseActor = 'operator' | 'platform';
