/** Lets one loop sleep until a time has passed or somebody wakes it. A wake while it is busy is remembered. */
export interface WakeSignal {
  wake(): void;
  wait(timeoutMs: number): Promise<void>;
}

export function createWakeSignal(): WakeSignal {
  let isWoken = false;
  let resume: (() => void) | null = null;
  return {
    wake() {
      isWoken = true;
      resume?.();
    },
    async wait(timeoutMs) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isWoken = false;
    },
  };
}
