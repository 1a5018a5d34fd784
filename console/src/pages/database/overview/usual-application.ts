import type { Application } from './use-applications.ts';

/** The one that is offered first: of a site of files nothing runs that could use a database. */
export function usualApplication<T extends Pick<Application, 'deployment_type'>>(
  applications: readonly T[],
): T | undefined {
  return applications.find(({ deployment_type }) => deployment_type === 'container') ?? applications[0];
}
