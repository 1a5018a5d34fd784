import { appendFileSync } from 'node:fs';

/** What happened, in its order; kept in a file as it happens. */
export interface Events {
  tell(about: string, what: string): void;
  /** The last ones about something. */
  about(name: string, count?: number): string[];
}

export function openEvents(path: string, say: (line: string) => void): Events {
  const startedAt = performance.now();
  const told: { about: string; line: string }[] = [];
  return {
    tell(about, what) {
      const atMs = Math.round(performance.now() - startedAt);
      const line = `${(atMs / 1000).toFixed(1).padStart(7)} s  ${about}: ${what}`;
      told.push({ about, line });
      appendFileSync(path, `${JSON.stringify({ atMs, time: new Date().toISOString(), about, what })}\n`);
      say(line);
    },
    about: (name, count = 12) =>
      told
        .filter(({ about, line }) => about === name || line.includes(name))
        .slice(-count)
        .map(({ line }) => line),
  };
}
