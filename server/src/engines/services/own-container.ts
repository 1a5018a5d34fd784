/** A folder or volume of the engine's machine that a container has. */
export interface EngineMount {
  Source: string;
  Destination: string;
}

/** The container that this process is in, by the files that Docker gives each; null outside of any. */
export function ownContainerId(mountinfo: string): string | null {
  return /\/containers\/([0-9a-f]{64})\/(?:hostname|resolv\.conf|hosts) \/etc\//.exec(mountinfo)?.[1] ?? null;
}

/** How the engine's machine names a path of a container; null for what only the container has. */
export function sourceOf(mounts: readonly EngineMount[], path: string): string | null {
  const fitting = mounts.filter(
    ({ Destination }) => path === Destination || path.startsWith(`${Destination.replace(/\/$/, '')}/`),
  );
  const [closest] = fitting.toSorted((left, right) => right.Destination.length - left.Destination.length);
  return closest ? `${closest.Source}${path.slice(closest.Destination.replace(/\/$/, '').length)}` : null;
}
