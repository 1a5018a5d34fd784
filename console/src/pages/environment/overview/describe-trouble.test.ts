import type { DeploymentStatus } from '@lilac/contract/states';
import { describe, expect, it } from 'vitest';
import { describeTrouble } from './describe-trouble.ts';

const at = (minute: number, status: DeploymentStatus) => ({
  id: `dep_${minute}`,
  status,
  error: status === 'failed' ? 'The build ended with 1.' : null,
  completed_at: `2026-11-16T07:0${minute}:00.000Z`,
});

const ofFailure = { id: 'env_1', trouble: 'The last deployment failed (dep_2): The build ended with 1.' };
const ofInstances = { id: 'env_1', trouble: 'An instance ended 3 times in a row.' };

describe('what is wrong with an environment', () => {
  it('is nothing where the platform says nothing, though a deployment failed once', () => {
    expect(describeTrouble({ id: 'env_1', trouble: null }, [at(2, 'failed')])).toBeNull();
  });

  it('is the last deployment, and leads to it', () => {
    expect(describeTrouble(ofFailure, [at(2, 'failed'), at(1, 'healthy')])).toEqual({
      text: 'The last deployment failed: The build ended with 1.',
      href: '/deployments/dep_2',
      way: 'Look at the deployment',
    });
  });

  it('is still that where the one after it was stopped, and says which of the two it means', () => {
    const told = describeTrouble(ofFailure, [at(3, 'cancelled'), at(2, 'failed'), at(1, 'healthy')]);
    expect(told?.text).toBe('The last deployment that was not cancelled failed: The build ended with 1.');
    expect(told?.href).toBe('/deployments/dep_2');
  });

  it('is with what runs, and leads to its log, also where a deployment failed besides', () => {
    expect(describeTrouble(ofInstances, [at(2, 'failed'), at(1, 'healthy')])).toEqual({
      text: 'An instance ended 3 times in a row.',
      href: '/environments/env_1/logs',
      way: 'Look at the log',
    });
  });

  it('is what the platform says while the deployments are not known', () => {
    expect(describeTrouble(ofFailure, [])?.text).toBe(ofFailure.trouble);
  });
});
