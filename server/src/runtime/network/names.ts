import { createHash } from 'node:crypto';

/**
 * What belongs to one installation in the kernel carries this in its name, so that several on one machine,
 * and everything that is not Lilac's, stay apart. Names of interfaces may have 15 characters.
 */
export function installationId(home: string): string {
  return createHash('sha256').update(home).digest('hex').slice(0, 8);
}

export const bridgeName = (id: string): string => `lilac-${id}`;
export const namespaceName = (id: string, slot: number): string => `lilac-${id}-${slot}`;
export const vethName = (id: string, slot: number): string => `lc${id}v${slot}`;

/** How the names of the bridges begin that Docker makes for us; a number follows. */
export const dockerBridges = (id: string): string => `lc${id}n`;

/** The slot that a namespace or a veth of this installation is for; null for anything else. */
export function slotOfName(id: string, name: string): number | null {
  const digits = [`lilac-${id}-`, `lc${id}v`].flatMap((prefix) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  )[0];
  return digits !== undefined && /^[1-9]\d{0,3}$/.test(digits) ? Number(digits) : null;
}
