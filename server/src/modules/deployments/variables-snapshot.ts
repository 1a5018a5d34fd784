import type { DeploymentRow } from '../../db/schema.ts';
import type { Keyring } from '../../secrets/keyring.ts';

const placeOf = (deploymentId: string) => ({ table: 'deployments', column: 'variables', row: deploymentId }) as const;

/**
 * The environment's variables as its build had them: what the deployment's instances get, whenever they start. Null
 * where there are none.
 */
export function sealSnapshot(
  keyring: Keyring,
  deploymentId: string,
  variables: Readonly<Record<string, string>>,
): string | null {
  if (Object.keys(variables).length === 0) return null;
  return keyring.seal(JSON.stringify(variables), placeOf(deploymentId));
}

export function openSnapshot(
  keyring: Keyring,
  { id, variables }: Pick<DeploymentRow, 'id' | 'variables'>,
): Record<string, string> {
  if (variables === null) return {};
  return JSON.parse(keyring.open(variables, placeOf(id))) as Record<string, string>;
}
