import { until, type Platform } from './platform.ts';

/** `kill -9` of one process of a role; resolves when another has taken its place and the platform answers. */
export async function killRole(platform: Platform, role: string, index: number): Promise<void> {
  const pids = platform.pids()[role]!;
  process.kill(pids[index]!, 'SIGKILL');
  await until(`another ${role} is there`, () => {
    const now = platform.pids()[role] ?? [];
    return now.length === pids.length && !now.includes(pids[index]!);
  });
  await until('the platform answers', () =>
    fetch(`${platform.url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}
