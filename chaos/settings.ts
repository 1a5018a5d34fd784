import { hurriedSettings } from '../e2e/whole-platform/scene.ts';

/** In a hurry where people would be given time; a sleeper sleeps soon, and is not woken by its own leaving. */
export const chaosSettings = { ...hurriedSettings, LILAC_RUNTIME: 'sandbox', LILAC_IDLE_TO_ZERO_AFTER: '2s' };
