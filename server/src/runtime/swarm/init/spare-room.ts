import { once } from 'node:events';
import { start, type ChildProcess } from '../../../lib/exec.ts';
import { signalEverybody } from './program-processes.ts';

/**
 * Room for one more process, whatever the program does: a process that only waits, and goes when its room is needed. A
 * program that has begun as many as its task may have could otherwise keep the firewall from being changed.
 */
export class SpareRoom {
  #kept: ChildProcess | null = null;

  /** Before the program starts. */
  keep(): void {
    const kept = start(['sleep', 'infinity'], { env: { PATH: '/usr/bin:/bin' }, stdio: 'ignore' });
    const forget = () => (this.#kept = this.#kept === kept ? null : this.#kept);
    kept.once('error', forget).once('exit', forget);
    this.#kept = kept;
  }

  /** Does the work, which begins one process; where there is no room, everybody else stands still meanwhile. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || !this.#kept) throw error;
    }
    signalEverybody('SIGSTOP');
    try {
      const gone = once(this.#kept, 'exit');
      this.#kept.kill('SIGKILL');
      await gone;
      return await work();
    } finally {
      this.keep();
      signalEverybody('SIGCONT');
    }
  }
}
